// A Sentinel of Sorcel, in mm; printed as it stands.
// Made by the command `sorcel hardware`; the STL beside it is the same piece.

magnet_across = 6;
magnet_high = 3;
clearance = 0.2;  // the pocket is so much wider and deeper
$fn = 48;

outline = [  // radius, height
    [0, 0],
    [11.35, 0],
    [11.85, 0.5],
    [11.85, 2.2],
    [11.2356, 2.5281],
    [10.3578, 3.0119],
    [9.48, 3.6],
    [8.6593, 4.217],
    [7.8386, 4.9385],
    [7.11, 5.94],
    [6.4956, 7.3267],
    [5.9733, 8.9933],
    [5.5695, 10.8],
    [5.2974, 12.7867],
    [5.1438, 14.9133],
    [5.0955, 16.92],
    [5.1438, 18.76],
    [5.2974, 20.48],
    [5.5695, 21.96],
    [6.0084, 23.1133],
    [6.5658, 24.0267],
    [7.11, 24.84],
    [7.6454, 25.5867],
    [8.1677, 26.2333],
    [8.532, 26.82],
    [8.6768, 27.36],
    [8.6637, 27.84],
    [8.532, 28.26],
    [8.216, 28.6333],
    [7.7815, 28.9467],
    [7.4655, 29.16],
    [7.8709, 30.96],
    [7.8709, 30.96],
    [9.006, 36],
    [6.7545, 36],
    [6.3858, 35.6267],
    [5.846, 35.0933],
    [5.214, 34.56],
    [4.503, 34.04],
    [3.6998, 33.52],
    [2.844, 33.12],
    [1.8258, 32.9067],
    [0.7549, 32.8133],
    [0, 32.76]
];

difference() {
    rotate_extrude() polygon(outline);
    for (k = [0:7])  // the crown
        rotate(k * 360 / 8)
            translate([9.3615, 0, 30.96])
                cylinder(r = 2.0145, h = 36);
    translate([0, 0, -1])  // the magnet's pocket, open below
        cylinder(d = magnet_across + clearance, h = magnet_high + clearance + 1);
}

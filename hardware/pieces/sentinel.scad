// A Sentinel of Sorcel, in mm; printed as it stands.
// Made by the command `sorcel hardware`; the STL beside it is the same piece.
// revision 2, board standard ff17e6e8

magnet_across = 6;
magnet_high = 3;
clearance = 0.2;  // the pocket is so much wider and deeper
$fn = 48;

outline = [  // radius, height
    [0, 0],
    [10.45, 0],
    [10.95, 0.5],
    [10.95, 2.2],
    [10.3822, 2.4555],
    [9.5711, 2.8368],
    [8.76, 3.333],
    [8.0016, 3.9416],
    [7.2432, 4.665],
    [6.57, 5.4995],
    [6.0022, 6.45],
    [5.5196, 7.5116],
    [5.1465, 8.6658],
    [4.8951, 9.962],
    [4.7531, 11.3507],
    [4.7085, 12.6654],
    [4.7531, 13.869],
    [4.8951, 14.9985],
    [5.1465, 15.9984],
    [5.5521, 16.8193],
    [6.0671, 17.5106],
    [6.57, 18.1649],
    [7.0648, 18.8191],
    [7.5474, 19.4363],
    [7.884, 19.998],
    [8.0178, 20.5041],
    [8.0057, 20.9547],
    [7.884, 21.3312],
    [7.592, 21.6275],
    [7.1905, 21.8497],
    [6.8985, 21.9978],
    [7.2731, 23.6643],
    [7.2731, 23.6643],
    [8.322, 28.3305],
    [6.2415, 28.3305],
    [5.9008, 27.9849],
    [5.402, 27.4911],
    [4.818, 26.9973],
    [4.161, 26.5159],
    [3.4188, 26.0344],
    [2.628, 25.6641],
    [1.6871, 25.4666],
    [0.6976, 25.3802],
    [0, 25.3308]
];

difference() {
    rotate_extrude() polygon(outline);
    for (k = [0:7])  // the crown
        rotate(k * 360 / 8)
            translate([8.6505, 0, 23.6643])
                cylinder(r = 1.8615, h = 28.3305);
    translate([0, 0, -1])  // the magnet's pocket, open below
        cylinder(d = magnet_across + clearance, h = magnet_high + clearance + 1);
    translate([0, 0, -1])  // the ring of brass around it
        cylinder(d = 18.4, h = 1.8 + 1);
}

// A Shif of Sorcel, in mm; printed as it stands.
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
    [11.2092, 2.5281],
    [10.3051, 3.0119],
    [9.48, 3.6],
    [8.8304, 4.3037],
    [8.2599, 5.1119],
    [7.821, 5.94],
    [7.5226, 6.7533],
    [7.3558, 7.5867],
    [7.347, 8.46],
    [7.5708, 9.4333],
    [7.9527, 10.4467],
    [8.295, 11.34],
    [8.5539, 12.0333],
    [8.7734, 12.6067],
    [8.8875, 13.14],
    [8.8612, 13.68],
    [8.7295, 14.18],
    [8.532, 14.58],
    [8.2774, 14.86],
    [7.9571, 15.04],
    [7.584, 15.12],
    [7.189, 15.08],
    [6.7413, 14.94],
    [6.162, 14.76],
    [5.4159, 14.5333],
    [4.5381, 14.2667],
    [3.555, 14.04],
    [2.3086, 13.88],
    [0.9568, 13.76],
    [0, 13.68]
];

difference() {
    rotate_extrude() polygon(outline);
    translate([0, 0, -1])  // the magnet's pocket, open below
        cylinder(d = magnet_across + clearance, h = magnet_high + clearance + 1);
}

// A Shif of Sorcel, in mm; printed as it stands.
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
    [10.4633, 2.4555],
    [9.782, 2.8368],
    [9.198, 3.333],
    [8.8208, 3.9724],
    [8.541, 4.7267],
    [8.322, 5.4995],
    [8.1436, 6.2525],
    [8.0259, 7.024],
    [7.9935, 7.8325],
    [8.0908, 8.7337],
    [8.2733, 9.6719],
    [8.4315, 10.4989],
    [8.5451, 11.1409],
    [8.6343, 11.6717],
    [8.6505, 12.1654],
    [8.5816, 12.6654],
    [8.4396, 13.1283],
    [8.2125, 13.4986],
    [7.8718, 13.7579],
    [7.446, 13.9245],
    [7.008, 13.9986],
    [6.6187, 13.9616],
    [6.2172, 13.8319],
    [5.694, 13.6653],
    [5.0046, 13.4554],
    [4.1934, 13.2086],
    [3.285, 12.9987],
    [2.1332, 12.8506],
    [0.8841, 12.7395],
    [0, 12.6654]
];

difference() {
    rotate_extrude() polygon(outline);
    translate([0, 0, -1])  // the magnet's pocket, open below
        cylinder(d = magnet_across + clearance, h = magnet_high + clearance + 1);
    translate([0, 0, -1])  // the ring of brass around it
        cylinder(d = 18.4, h = 1.8 + 1);
}

#!/bin/busybox sh
# The first process of the machine: simulated hardware, then the files of the real machine, then the
# checks in guest.py; boot.py fills in what stands between @s.
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for module in @MODULES@; do $b insmod /modules/$module.ko || echo "no module $module"; done
config=/sys/kernel/config
$b mount -t configfs config $config

# The lines of a Pi's header.
chip=$config/gpio-sim/pi
$b mkdir -p $chip/bank
echo 54 >$chip/bank/num_lines
echo pinctrl-bcm2835 >$chip/bank/label
echo 1 >$chip/live

# A Pico at USB: the machine is both its own device and its own host.
pico=$config/usb_gadget/pico
$b mkdir -p $pico/strings/0x409 $pico/configs/c.1/strings/0x409 $pico/functions/acm.0
echo 0x2e8a >$pico/idVendor
echo 0x0005 >$pico/idProduct
echo E6614104032B5C2F >$pico/strings/0x409/serialnumber
echo MicroPython >$pico/strings/0x409/manufacturer
echo "Board in FS mode" >$pico/strings/0x409/product
$b ln -s $pico/functions/acm.0 $pico/configs/c.1/

$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=262144 host /host
$b mount -o bind /sys /host/sys
$b mount -o bind $config /host$config
$b mount -o bind /dev /host/dev
$b mount -o bind /proc /host/proc
$b mkdir -p /dev/shm
$b mount -t tmpfs shm /dev/shm
# gpiozero asks which Pi this is.
{ $b cat /proc/cpuinfo; echo "Revision : a02082"; } >/dev/shm/cpuinfo
$b mount -o bind /dev/shm/cpuinfo /host/proc/cpuinfo
$b ln -s /proc/self/fd /dev/fd

cd /host
$b chroot /host /usr/bin/env -i HOME=/dev/shm TMPDIR=/dev/shm LG_WD=/dev/shm PATH="@PATH@" \
    PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PYTHONPATH="@ROOT@" \
    /bin/sh -c 'cd "@ROOT@" && exec "@PYTHON@" -m tests.kernel.guest' >/dev/ttyS0 2>&1 </dev/null
$b poweroff -f

"""Checks of what the config wants to reach: nodes and their rights, buses, audio, pins, power."""

from collections.abc import Iterator

from ..config.wiring import board_of, button_pins, contact_pins, pixel_pin
from ..drivers.mcu import PRODUCT, VENDOR
from ..drivers.pixels import SPI_LARGER, is_pi_5, spi_bytes, why_not
from .report import Context, Finding, fault, ok, warning

BOOT_CONFIGS = ("/boot/firmware/config.txt", "/boot/config.txt")
SPI_NODE, I2C_NODE, PIO_NODE = "/dev/spidev0.0", "/dev/i2c-1", "/dev/pio0"
SPI1_NODE = "/dev/spidev1.0"
MUCH_CURRENT_A = 4.0
_CORE_HZ = {"Pi 3": "core_freq=250", "Pi 4": "core_freq_min=500"}
_SPI_PINS, _I2C_PINS, _W1_PIN = (7, 8, 9, 10, 11), (2, 3), 4
_SPI1_PINS = (18, 19, 20, 21)
_PWM_PINS = (12, 13, 18)


def _access(context: Context, topic: str, path: str, groups: str) -> Finding:
    """Return whether the user may use a node; `groups` are those that usually may."""
    machine = context.machine
    node = machine.node(path)
    if node is None:
        return fault(topic, f"there is no {path}", "sudo reboot, and look again")
    shown = f"{path} belongs to {node.owner}:{node.group}, {node.rights}"
    user = machine.user
    if user.may_use(node):
        return ok(topic, f"{shown}; {user.name} may use it")
    text = f"{shown}; {user.name} is not in that group"
    if node.group in groups.split() and node.mode & 0o060 == 0o060:
        remedy = f"sudo usermod --append --groups {node.group} {user.name}, then log in again"
    else:
        text = f"{shown}; only root may use it"
        remedy = (
            "sudo cp systemd/60-sorcel-pi.rules /etc/udev/rules.d/ && sudo udevadm control "
            "--reload && sudo udevadm trigger (sorcel service install does that too)"
        )
    return fault(topic, text, remedy)


def _boot_config(context: Context) -> tuple[str, list[str]]:
    """Return where the Pi's boot settings are, and the lines that count."""
    for path in BOOT_CONFIGS:
        text = context.machine.read(path)
        if text is not None:
            lines = (line.split("#")[0].strip() for line in text.splitlines())
            return path, [line for line in lines if line]
    return BOOT_CONFIGS[0], []


def check_gpio(context: Context) -> Iterator[Finding]:
    """The GPIO lines, and whether this user may use them."""
    config, machine = context.config, context.machine
    buttons = any(pin is not None for pin in button_pins(config))
    if config.contacts.driver not in ("gpio", "shift") and not buttons:
        return
    chips = [name for name in machine.names("/dev") if name.startswith("gpiochip")]
    if not chips:
        yield fault("GPIO", "there are no GPIO chips", "use a Raspberry Pi, or driver mcu or mock")
        return
    labels = {}
    for entry in machine.names("/sys/class/gpio"):
        label = machine.read(f"/sys/class/gpio/{entry}/label")
        if label:
            labels[label] = entry
    header = [label for label in labels if label.startswith("pinctrl-")]
    where = f", the header is {header[0]}" if header else ""
    yield ok("GPIO", f"{', '.join(chips)}{where}")
    yield _access(context, "GPIO", f"/dev/{chips[0]}", "gpio")


def check_spi(context: Context) -> Iterator[Finding]:
    """SPI for lights: on, for this user, with room for a frame and a steady clock."""
    config, machine = context.config, context.machine
    if config.pixels.driver != "spi":
        return
    if machine.node(SPI_NODE) is None:
        yield fault(
            "SPI", f"it is off: no {SPI_NODE}", "sudo raspi-config nonint do_spi 0 && sudo reboot"
        )
        return
    yield _access(context, "SPI", SPI_NODE, "spi")
    path, lines = _boot_config(context)
    size = machine.read("/sys/module/spidev/parameters/bufsiz") or ""
    need = spi_bytes(board_of(config).grid.n, len(config.lights.colour_order))
    if size.isdigit() and int(size) < need:
        yield fault(
            "SPI",
            f"its buffer holds {size} bytes, a frame has {need}",
            SPI_LARGER,
        )
    for model, setting in _CORE_HZ.items():
        if model in machine.model and not any(line.startswith(setting) for line in lines):
            yield warning(
                "SPI",
                f"its clock changes with the load of the Pi, and colours may flicker ({path})",
                f"echo {setting} | sudo tee -a {path} && sudo reboot",
            )


def check_pwm(context: Context) -> Iterator[Finding]:
    """PWM for lights: it needs root, and the audio off."""
    config, machine = context.config, context.machine
    if config.pixels.driver not in ("pwm", "pio"):
        return
    alternative = 'or [pixels] driver = "spi" with the lights on GPIO10, or a Pico (driver "mcu")'
    reason = why_not(config.pixels.driver, machine.model)
    if reason:
        yield fault("lights", reason.partition(": ")[0], reason.partition(": ")[2])
        return
    if config.pixels.driver == "pio" or is_pi_5(machine.model):
        if machine.node(PIO_NODE) is None:
            remedy = "sudo apt full-upgrade && sudo rpi-eeprom-update -a && sudo reboot"
            yield fault("lights", f"there is no {PIO_NODE}: kernel or firmware are old", remedy)
        else:
            yield _access(context, "lights", PIO_NODE, "gpio")
        return
    if machine.user.uid != 0:
        yield fault("lights", "by pwm they need root", f"sudo sorcel play, {alternative}")
    else:
        yield ok("lights", "by pwm, as root")
    cards = machine.read("/proc/asound/cards") or ""
    if pixel_pin(config) in _PWM_PINS and "bcm2835" in cards.lower():
        path, _ = _boot_config(context)
        change = f"sudo sed -i 's/^dtparam=audio=on/dtparam=audio=off/' {path} && sudo reboot"
        yield fault(
            "audio", "the Pi's own audio is on, and uses PWM too", f"{change}, {alternative}"
        )
    else:
        yield ok("audio", "the Pi's own audio is off")


def check_i2c(context: Context) -> Iterator[Finding]:
    """I2C for the expander: on, for this user, fast enough."""
    if context.config.contacts.driver != "expander":
        return
    if context.machine.node(I2C_NODE) is None:
        remedy = "sudo raspi-config nonint do_i2c 0 && sudo reboot"
        yield fault("I2C", f"it is off: no {I2C_NODE}", remedy)
        return
    yield _access(context, "I2C", I2C_NODE, "i2c")
    path, lines = _boot_config(context)
    if not any("i2c_arm_baudrate=400000" in line for line in lines):
        yield warning(
            "I2C",
            "at its usual 100 kHz a scan takes four times as long as it need",
            f"echo dtparam=i2c_arm_baudrate=400000 | sudo tee -a {path} && sudo reboot",
        )


def check_pins(context: Context) -> Iterator[Finding]:
    """Pins that the config uses and something else on the Pi uses too."""
    config, machine = context.config, context.machine
    if not machine.model:
        return
    used = {pin: f"button {name}" for name, pin in button_pins(config)._asdict().items()}
    if config.contacts.driver in ("gpio", "shift"):
        used |= {pin: "contacts" for line in contact_pins(config) for pin in line}
    used.pop(None, None)
    clashes: list[tuple[tuple[int, ...], str, str]] = []
    if machine.node(I2C_NODE) is not None and config.contacts.driver != "expander":
        clashes.append((_I2C_PINS, "I2C", "sudo raspi-config nonint do_i2c 1 && sudo reboot"))
    if machine.node(SPI_NODE) is not None and config.pixels.driver != "spi":
        clashes.append((_SPI_PINS, "SPI", "sudo raspi-config nonint do_spi 1 && sudo reboot"))
    path, lines = _boot_config(context)
    if machine.node(SPI1_NODE) is not None:
        remedy = f"sudo sed -i 's/^dtoverlay=spi1/#&/' {path} && sudo reboot"
        clashes.append((_SPI1_PINS, "SPI1", remedy))
    if any(line.startswith("dtoverlay=w1-gpio") for line in lines):
        remedy = f"sudo sed -i 's/^dtoverlay=w1-gpio/#&/' {path} && sudo reboot"
        clashes.append(((_W1_PIN,), "1-Wire", remedy))
    found = False
    for pins, what, remedy in clashes:
        uses = [f"GPIO{pin} ({used[pin]})" for pin in pins if pin in used]
        if uses:
            found = True
            yield fault("pins", f"{what} is on and takes {', '.join(uses)}", remedy)
    if used and not found:
        yield ok("pins", f"nothing else uses the {len(used)} pins of the board")


def check_serial(context: Context) -> Iterator[Finding]:
    """The microcontroller's port, or what else hangs on USB."""
    config, machine = context.config, context.machine
    if "mcu" not in (config.contacts.driver, config.pixels.driver):
        return
    ports = dict(_usb_ports(context))
    boards = [port for port, usb in ports.items() if usb == f"{VENDOR:04x}:{PRODUCT:04x}"]
    wanted = [config.mcu.port] if config.mcu.port else boards
    for port in wanted:
        if machine.node(port) is None:
            yield fault("serial", f"there is no {port}", "plug the board in, or empty [mcu] port")
        else:
            yield _access(context, "serial", port, "dialout")
    if not wanted:
        others = ", ".join(f"{port} is {usb}" for port, usb in ports.items()) or "none at all"
        yield fault(
            "serial",
            f"no serial port with USB identity {VENDOR:04x}:{PRODUCT:04x} ({others})",
            "plug the Pico in with a cable that carries data; firmware/README.md says how it gets "
            "MicroPython, sorcel firmware install the rest",
        )
    if len(boards) > 1 and not (config.mcu.port or config.mcu.serial_number):
        remedy = "set [mcu] serial_number"
        yield warning("serial", f"there are several boards: {', '.join(boards)}", remedy)


def _usb_ports(context: Context) -> Iterator[tuple[str, str]]:
    """Yield the serial ports on USB, each with vendor and product."""
    machine, devices = context.machine, "/sys/bus/usb/devices"
    for name in machine.names(devices):
        if ":" not in name:
            continue  # a device, not one of its interfaces
        device = f"{devices}/{name.split(':')[0]}"
        usb = ":".join(
            machine.read(f"{device}/{each}") or "?" for each in ("idVendor", "idProduct")
        )
        for tty in machine.names(f"{devices}/{name}/tty"):
            yield f"/dev/{tty}", usb


def check_current(context: Context) -> Iterator[Finding]:
    """The limit of what the lights may draw."""
    limit = context.config.lights.current_limit_a
    if context.config.pixels.driver == "mock":
        return
    if limit > MUCH_CURRENT_A:
        remedy = "set [lights] current_limit_a to what the supply gives, less 0.5 A; usual is 1.5"
        yield warning("current", f"the lights may draw {limit} A, more than a usual supply", remedy)
    else:
        yield ok("current", f"the lights may draw {limit} A; the supply has to give more")


CHECKS = (
    check_gpio,
    check_pins,
    check_spi,
    check_pwm,
    check_i2c,
    check_serial,
    check_current,
)

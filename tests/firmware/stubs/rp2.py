"""What the firmware uses of `rp2`: an assembler for a few instructions, and a machine to feed."""

from world import LIGHTS, world


class PIO:
    """Names of settings."""

    OUT_LOW, SHIFT_LEFT, JOIN_TX = "out low", "shift left", "join tx"


class Instruction:
    """One instruction, to which a side-set and a delay can be added."""

    def __init__(self, words, opcode):
        """Put it at the end of `words`."""
        self.words = words
        words.append(opcode)

    def side(self, level):
        """Set the one side-set pin."""
        self.words[-1] |= level << 12
        return self

    def __getitem__(self, delay):
        """Wait as many cycles more; one bit of five is taken by the side-set."""
        if not 0 <= delay < 16:
            raise ValueError("delay")
        self.words[-1] |= delay << 8
        return self


class Assembler:
    """What a program can say, with the labels found so far."""

    def __init__(self, labels):
        """Begin with the first instruction."""
        self.labels = labels
        self.words = []
        self.first = self.last = 0

    def names(self):
        """Return the names that a program uses."""
        known = {"x": 1, "not_x": 1}
        for name in ("wrap_target", "wrap", "label", "out", "jmp", "nop"):
            known[name] = getattr(self, name)
        return known

    def wrap_target(self):
        """Go on here after `wrap`."""
        self.first = len(self.words)

    def wrap(self):
        """End of the loop."""
        self.last = len(self.words) - 1

    def label(self, name):
        """Name the next instruction."""
        self.labels[name] = len(self.words)

    def out(self, destination, bits):
        """Shift bits out."""
        return Instruction(self.words, 0x6000 | destination << 5 | bits)

    def jmp(self, *arguments):
        """Go to a label, under a condition if there are two arguments."""
        condition = arguments[0] if len(arguments) > 1 else 0
        return Instruction(self.words, condition << 5 | self.labels.get(arguments[-1], 0))

    def nop(self):
        """Do nothing: copy y to y."""
        return Instruction(self.words, 0xA042)


def asm_pio(**options):
    """Return what turns a function into a program: opcodes, where it wraps, options."""

    def assemble(function):
        labels = {}
        names = function.__globals__
        kept = dict(names)
        for _ in range(2):  # labels ahead are known the second time
            assembler = Assembler(labels)
            names.clear()
            names.update(assembler.names())
            function()
        names.clear()
        names.update(kept)
        wraps = (assembler.first, assembler.last)
        return {"opcodes": assembler.words, "wraps": wraps, "options": options}

    return assemble


class StateMachine:
    """Hands what is put to the lights."""

    def __init__(self, number, program, freq, sideset_base):
        """Load the program, unless it is there already."""
        if not any(program is each for each in world.programs):
            world.programs.append(program)
        if sum([len(each["opcodes"]) for each in world.programs]) > 32:
            raise OSError("no room for a program")
        self.bits = program["options"]["pull_thresh"]
        self.frequency = freq
        self.running = False
        if sideset_base.number != LIGHTS:
            world.events.append("the lights are on another pin")

    def active(self, on):
        """Start or stop."""
        self.running = bool(on)

    def put(self, words, shift):
        """Take all words; the last eight wait in the machine."""
        if not self.running:
            world.events.append("the machine stands still")
        world.show([word << shift & 0xFFFFFFFF for word in words], self.bits)
        world.sleep((len(words) - 8) * self.bits * 12 // 10)

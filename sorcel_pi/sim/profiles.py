"""How different people are at a table: the named profiles."""

from .body import Profile

PROFILES: dict[str, Profile] = {
    each.name: each
    for each in (
        Profile("careful", ponders=0.1),
        Profile(
            "fast",
            lift_mm=35.0,
            lift_mm_s=600.0,
            carry_mm_s=700.0,
            think_s=(0.12, 0.6),
            rest_s=(0.06, 0.2),
            waits=0.0,
            looks=0.1,
            foes_first=0.4,
            slides=0.2,
            shoves=0.35,
            two_hands=0.2,
            off_centre=0.7,
            dawdles=0.02,
        ),
        Profile(
            "clumsy",
            lift_mm=40.0,
            lift_mm_s=300.0,
            carry_mm_s=350.0,
            think_s=(0.2, 2.0),
            rest_s=(0.1, 0.8),
            waits=0.4,
            looks=0.6,
            foes_first=0.3,
            slides=0.3,
            shoves=0.5,
            two_hands=0.6,
            mistakes=0.3,
            ponders=0.05,
            off_centre=1.0,
            dawdles=0.08,
        ),
    )
}

// For who has asked for less motion: lights keep what they show for a while, so that nothing blinks
// faster than once a second; what goes on or off after a rest does so at once.

export const still = matchMedia("(prefers-reduced-motion: reduce)");
const KEPT_MS = 550;

// The colour that a lamp shows now of the `wanted` one; `again` is called when it may change.
export function calmed(lamp, wanted, again) {
  if (!still.matches || wanted === lamp.colour) return wanted;
  const left = (lamp.changed ?? -Infinity) + KEPT_MS - performance.now();
  if (left > 0) {
    clearTimeout(lamp.timer);
    lamp.timer = setTimeout(again, left + 1);
    return lamp.colour;
  }
  lamp.changed = performance.now();
  return wanted;
}

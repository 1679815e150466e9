// Dates, durations and ranks as text, as dtviz/data/units writes them.

/** @import { Clock } from "../frames.d.ts" */

const SECOND = 1_000_000_000n; // nanoseconds
const DAY = 86_400n * SECOND;

/** Text of an integer that a clock gives a meaning: '2024-03-01 08:30', '1 day 02:15:00'.
 *  @param {number} value @param {Clock} clock */
export function quantityText(value, { kind, unit, aware, names }) {
  if (names) return names[Math.round(value)];
  const nanos = BigInt(Math.floor(value)) * BigInt(unit);
  return kind === "date" ? dateText(nanos, aware) : durationText(nanos);
}

/** @param {bigint} nanos since 1970 @param {boolean} aware */
function dateText(nanos, aware) {
  const days = nanos / DAY - (nanos % DAY < 0n ? 1n : 0n);
  const timeOfDay = nanos - days * DAY;
  const day = new Date(Number(days) * 86_400_000).toISOString().slice(0, 10);
  const time = timeText(timeOfDay).replace(/:00$/, "");
  return `${day}${timeOfDay || aware ? ` ${time}` : ""}${aware ? "Z" : ""}`;
}

/** @param {bigint} nanos */
function durationText(nanos) {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const inHours = nanos < 0n && magnitude % DAY > 0n;
  const [days, timeOfDay] = inHours ? [0n, magnitude] : [magnitude / DAY, magnitude % DAY];
  const dayTexts = days ? [`${days} day${days > 1n ? "s" : ""}`] : [];
  const timeTexts = timeOfDay || !days ? [timeText(timeOfDay)] : [];
  return (nanos < 0n ? "-" : "") + [...dayTexts, ...timeTexts].join(" ");
}

/** Text of the nanoseconds of a day, with the fraction of a second if there is one: '08:30:00.25'.
 *  @param {bigint} nanos */
function timeText(nanos) {
  const seconds = nanos / SECOND;
  const fraction = String(nanos % SECOND).padStart(9, "0").replace(/0+$/, "");
  const numbers = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  return numbers.map((number) => String(number).padStart(2, "0")).join(":") + (fraction && `.${fraction}`);
}

// Dates, durations and ranks as text, as dtviz/data/units writes them.

/** @import { Clock } from "../frames.d.ts" */

const SECOND = 1_000_000_000n; // nanoseconds
const DAY = 86_400n * SECOND;

/** A whole number of a clock as text: '2024-03-01 08:30', '1 day 02:15:00'.
 *  @param {number} value @param {Clock} clock */
export function clocked(value, { kind, unit, aware, names }) {
  if (names) return names[Math.round(value)];
  const nanos = BigInt(Math.floor(value)) * BigInt(unit);
  return kind === "date" ? dateText(nanos, aware) : durationText(nanos);
}

/** @param {bigint} nanos from 1970 on @param {boolean} aware */
function dateText(nanos, aware) {
  const days = nanos / DAY - (nanos % DAY < 0n ? 1n : 0n);
  const rest = nanos - days * DAY;
  const day = new Date(Number(days) * 86_400_000).toISOString().slice(0, 10);
  const clock = clockText(rest).replace(/:00$/, "");
  return `${day}${rest || aware ? ` ${clock}` : ""}${aware ? "Z" : ""}`;
}

/** @param {bigint} nanos */
function durationText(nanos) {
  const size = nanos < 0n ? -nanos : nanos;
  const inHours = nanos < 0n && size % DAY > 0n;
  const [days, rest] = inHours ? [0n, size] : [size / DAY, size % DAY];
  const whole = days ? [`${days} day${days > 1n ? "s" : ""}`] : [];
  const clock = rest || !days ? [clockText(rest)] : [];
  return (nanos < 0n ? "-" : "") + [...whole, ...clock].join(" ");
}

/** Nanoseconds of a day as '08:30:00', and behind a point what is less than a second.
 *  @param {bigint} nanos */
function clockText(nanos) {
  const seconds = nanos / SECOND;
  const part = String(nanos % SECOND).padStart(9, "0").replace(/0+$/, "");
  const numbers = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  return numbers.map((number) => String(number).padStart(2, "0")).join(":") + (part && `.${part}`);
}

const SECOND_MS = 1000

/** What is left of a wait in whole seconds, rounded up: 0 only when it is over. */
export function secondsLeft(untilMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((untilMs - nowMs) / SECOND_MS))
}

/** Seconds as days, hours, minutes and seconds. */
export function timeLeft(totalSeconds: number) {
  return {
    days: Math.floor(totalSeconds / 86_400),
    hours: Math.floor(totalSeconds / 3600) % 24,
    minutes: Math.floor(totalSeconds / 60) % 60,
    seconds: totalSeconds % 60,
    totalSeconds,
  }
}

export type TimeLeft = ReturnType<typeof timeLeft>

/** What is left in clock form: `09:05`, or with hours if there are any: `23:59:05`. */
export function clockText({ days, hours, minutes, seconds }: TimeLeft): string {
  const wholeHours = days * 24 + hours
  return [
    ...(wholeHours > 0 ? [String(wholeHours)] : []),
    String(minutes).padStart(2, '0'),
    String(seconds).padStart(2, '0'),
  ].join(':')
}

/**
 * Preloaded into a server (`--import`), which knows nothing of it: reports whenever one pass of the
 * event loop has used the thread's processor for long. Waiting for a processor that others used
 * does not count.
 */
const LOOK_EVERY_MS = 5

export type LoopHold = { heldMs: number; at: number }

const REPORTED_FROM_MS = 20

let at = performance.now()
let used = process.threadCpuUsage()
setInterval(() => {
  const now = performance.now()
  const cpu = process.threadCpuUsage()
  const busyMs = (cpu.user + cpu.system - used.user - used.system) / 1000
  const heldMs = Math.min(now - at - LOOK_EVERY_MS, busyMs)
  if (heldMs >= REPORTED_FROM_MS) process.send?.({ heldMs, at: Date.now() } satisfies LoopHold)
  at = now
  used = cpu
}, LOOK_EVERY_MS).unref()

/** How much of everything is tried. */
export type Size = 'short' | 'whole' | 'long'

/**
 * `held`: it was tried and is as it must be. `missed`: a measured figure is not within its bar.
 * `failed`: something happened that must never happen. `not judged`: the figure stands, but the
 * machine was too busy with others' work to say whether it is good, or the means to try it are not
 * here.
 */
export type Assessment = 'held' | 'missed' | 'failed' | 'not judged'

/** One promise, what was seen of it, and what it is measured against. */
export type Finding = {
  /** What is promised, as a reader would say it: "An acknowledged purchase survives kill -9". */
  promise: string
  /** What was seen, with its units: "0 lost of 12,480 in 100 cycles". */
  seen: string
  /** What it must reach, or what it stands beside: a limit of the machine, a peer. */
  bar: string
  assessment: Assessment
}

export type Proof = {
  /** As `--only` takes it. */
  name: string
  title: string
  kind: 'speed' | 'faults' | 'inputs'
  /** Throws where it could not be tried at all, which counts as failed. */
  run(scope: ProofScope): Promise<Finding[]>
}

export type ProofScope = {
  size: Size
  /** What every random choice is made from, so that a run can be made again. */
  seed: number
  /** Tells whoever waits how far it is. */
  say(line: string): void
}

/** The figure for this size of a run. */
export function bySize<Value>(scope: Pick<ProofScope, 'size'>, values: Record<Size, Value>): Value {
  return values[scope.size]
}

/** `held` or `missed`, or `not judged` on a machine that others used meanwhile. */
export function assess(isWithin: boolean, wasQuiet = true): Assessment {
  if (!wasQuiet) return 'not judged'
  return isWithin ? 'held' : 'missed'
}

/** `held` where nothing of what must never happen was found. */
export function neverMoreThan(most: number, found: number): Assessment {
  return found <= most ? 'held' : 'failed'
}

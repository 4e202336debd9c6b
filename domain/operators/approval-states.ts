/** What becomes of an act that waits for a second person. */
export const approvalStates = [
  'waiting',
  'approved',
  'done',
  'failed',
  'refused',
  'withdrawn',
  'expired',
] as const
export type ApprovalState = (typeof approvalStates)[number]

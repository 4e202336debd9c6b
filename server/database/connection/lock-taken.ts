/** Whether a statement that does not wait, or not for long, found a lock taken. */
export function isLockTaken(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === '55P03'
}

import type { Sender } from './message.ts'

/** What stands below every mail. */
export function footerLines({ projectName, publicUrl, isSandbox }: Sender): string[] {
  return [
    `${projectName} presale, ${publicUrl}`,
    'We never ask for your password or for a payment to an address that is not shown on our site.',
    ...(isSandbox ? ['This is a sandbox: payments, prices and this mail are simulated.'] : []),
  ]
}

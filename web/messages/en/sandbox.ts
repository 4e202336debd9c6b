import { useLanguage } from '#web/messages/language.ts'

/** Texts of the sandbox page, which plays the payer's wallet and mailbox. */
export const sandbox = {
  heading: 'Sandbox',
  intro:
    'Here you play the buyer’s wallet, the chain and the mailbox. Nothing on this page is real money.',
  notSandbox: 'This is not a sandbox',
  notSandboxText: 'Here payments are real, so there is nothing to simulate.',
  wallet: {
    title: 'Wallet',
    address: 'Address',
    addressHint: 'Copy it from the payment dialog, or open this page from there.',
    amount: 'Amount due',
    amountHint: 'In the coin of the purchase, exactly as the dialog shows it.',
    addressMissing: 'Enter the address to pay to',
    amountMissing: 'Enter the amount as a plain number',
    all: 'Send all',
    less: 'Send half',
    more: 'Send double',
    sent: (amount: string) => `Sent ${amount}`,
    failed: 'The payment could not be sent',
  },
  chain: {
    title: 'Chain',
    text: 'A block comes every 5 seconds by itself. A payment needs 2 confirmations.',
    mine: 'Mine a block',
    mined: (height: number) => `The chain is at block ${height}`,
    depth: 'Blocks to drop',
    reorganise: 'Reorganise',
    reorganised: (height: number) => `Blocks dropped: the chain is back at ${height}`,
    depthInvalid: 'Enter 1 to 100 blocks',
    failed: 'The chain did not answer',
  },
  mails: {
    title: 'Mailbox',
    to: 'Only mails to',
    refresh: 'Look again',
    list: 'Mails',
    empty: 'No mails yet',
    emptyHint: 'What the sale mails to its buyers lands here.',
    failed: 'The mailbox could not be read',
    toLine: (to: string) => `To ${to}`,
  },
}

export function useSandboxTexts(): typeof sandbox {
  return useLanguage().texts?.sandbox ?? sandbox
}

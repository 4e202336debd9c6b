import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'

interface FormatText {
  name: string
  /** What it is for, in a sentence. */
  what: string
  /** How it is used, each a sentence. */
  steps: readonly string[]
}

const COMPARE = 'Compare the number of payments and the sums with this page before anybody signs.'

/** Each file format of a batch: which wallet reads it, and how. */
export const formatTexts: Record<PayoutFormat, FormatText> = {
  safe_csv: {
    name: 'Safe, by the app CSV Airdrop',
    what: 'For a Safe multisig. The app puts the whole list into one transaction.',
    steps: [
      'Open your Safe on this network, and in it the app CSV Airdrop. Load the file.',
      COMPARE,
      'Submit it, and let the owners of the Safe confirm and execute it.',
    ],
  },
  safe_transactions: {
    name: 'Safe, by the Transaction Builder',
    what: 'For a Safe multisig. Every transfer is shown as a call of its own.',
    steps: [
      'Open your Safe on this network, and in it the app Transaction Builder. Drop the file on it.',
      COMPARE,
      'Create and send the batch, and let the owners of the Safe confirm and execute it.',
    ],
  },
  sparrow: {
    name: 'Sparrow',
    what: 'A list for the wallet’s “Send to Many”, with amounts in satoshis.',
    steps: [
      'Set the bitcoin unit to sats in Sparrow’s settings. Then open Send to Many and load the file.',
      'Lines that cannot be read are left out without warning: compare the number of payments ' +
        'and the sum with this page.',
      'Create the transaction, sign it with your device, and broadcast it.',
    ],
  },
  electrum: {
    name: 'Electrum',
    what: 'Lines for “Pay to many”, with amounts in whole coins.',
    steps: [
      'Set the base unit to whole coins in Electrum’s preferences; it is thousandths at first.',
      'Open Pay to many, and paste the lines of the file. Compare the number of payments and the sum with this page.',
      'Sign the transaction and broadcast it.',
    ],
  },
  sendmany: {
    name: 'A node’s wallet, by sendmany',
    what: 'For Bitcoin Core, Litecoin Core or Dogecoin Core.',
    steps: [
      'Copy the file to the machine with the wallet, and check its SHA-256 there.',
      COMPARE,
      'Unlock the wallet and call sendmany once: its first parameter is "", the second the ' +
        'content of the file. It returns the hash of the transaction.',
    ],
  },
  psbt: {
    name: 'PSBT, unsigned',
    what:
      'For the wallet with the key that receives the sale’s payments: inputs, fee and change are ' +
      'in it.',
    steps: [
      'Open the file in that wallet, such as Sparrow, within the hour.',
      'Compare every output with this page; the one extra is the change, which stays yours.',
      'Sign it with your device, and broadcast it.',
    ],
  },
  csv: {
    name: 'A plain list',
    what: 'For any other wallet, or for paying one by one.',
    steps: [
      'Send each line: exactly its amount, to its address, on this network. You pay the network fees.',
      'The server finds on the chain what was sent. If a gateway sends it, name its transaction ' +
        'here.',
    ],
  },
}

/** What the sentences about a wallet of the browser speak of; the amount has its symbol. */
export interface WalletWords {
  /** As the wallet calls itself. */
  wallet: string
  amount: string
  symbol: string
  network: string
}

export const wallet = {
  title: 'Pay from this browser',
  payWith: (name: string) => `Pay with ${name}`,
  hint: ({ amount, network }: WalletWords) =>
    `Asks the wallet to send exactly ${amount} on the ${network} network. Nothing is sent before you ` +
    'confirm it there.',
  steps: {
    account: ({ wallet: name }: WalletWords) => `Open ${name} and choose the account to pay from.`,
    network: ({ wallet: name, network }: WalletWords) =>
      `Allow ${name} to switch to the ${network} network.`,
    checking: () => 'Checking once more what is due.',
    confirming: ({ wallet: name, amount }: WalletWords) =>
      `Confirm the payment of ${amount} in ${name}.`,
  },
  refusals: {
    rejected: ({ wallet: name }: WalletWords) =>
      `You declined in ${name}. Nothing was sent, and the purchase still waits for its payment.`,
    locked: ({ wallet: name }: WalletWords) =>
      `${name} shares no account with this page. Unlock it, allow this page to see an account, and ` +
      'try again. Nothing was sent.',
    busy: ({ wallet: name }: WalletWords) =>
      `A request is already open in ${name}. Open the wallet, answer it, and try again.`,
    unknownChain: ({ wallet: name, network }: WalletWords) =>
      `${name} does not know the ${network} network. Add the network in the wallet and try again, or ` +
      'pay by the address or the QR code. Nothing was sent.',
    wrongChain: ({ wallet: name, network }: WalletWords) =>
      `${name} is still on another network. Switch to the ${network} network in the wallet and try ` +
      'again. Nothing was sent.',
    insufficient: ({ amount, wallet: name }: WalletWords) =>
      `The account in ${name} does not hold enough for ${amount} plus the network fee. Nothing was sent. ` +
      'Choose another account or top this one up.',
    disconnected: ({ wallet: name }: WalletWords) =>
      `${name} has no connection to its network. Nothing was sent. Try again in a moment.`,
    timeout: ({ wallet: name }: WalletWords) =>
      `${name} did not answer. Check there before you try again: what you confirm there is still ` +
      'sent, and it counts.',
    changed: () =>
      'The amount due has just changed, so nothing was sent. Look at the new amount and try again.',
    notDue: () => 'This purchase no longer waits for a payment, so nothing was sent.',
    unreachable: () =>
      'We could not check what is due, so nothing was sent. Check your connection and try again.',
    failed: ({ wallet: name }: WalletWords) =>
      `${name} reports a problem. Check there whether the payment was sent before you try again; if ` +
      'it was, this page updates by itself.',
  },
  sent: 'Sent.',
  sentHint:
    'This page updates by itself: it shows the payment as soon as the network does, which may take ' +
    'some minutes. Do not send it a second time.',
  hash: 'Transaction hash',
  again: 'It was cancelled in my wallet: pay again',
}

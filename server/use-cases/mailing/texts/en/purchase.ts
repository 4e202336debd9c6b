/** What could buy no tokens: how much is still owed back, and how much was; null for nothing. */
export type UnusedText = { owed: string | null; sent: string | null }

/** For mails about purchases and rewards. Amounts come with their symbols. */
export const purchase = {
  open: 'Open the purchase',
  buyAgain: 'Buy again',
  seeReferrals: 'See your referrals',
  seeTransaction: 'See the transaction',
  created: {
    subject: (symbol: string) => `Your ${symbol} purchase is waiting for its payment`,
    preview: (due: string, deadline: string) => `Send ${due}. The time to pay ends ${deadline}.`,
    heading: 'Send exactly this amount',
    text: (tokens: string, deadline: string) =>
      `We keep ${tokens} for you. The time to pay ends ${deadline}.`,
    sameAddress:
      'The address is for this purchase alone, and the page of your purchase shows the same one.',
  },
  onlyOn: (symbol: string, network: string) =>
    `Send ${symbol} on the ${network} network only. Anything else that is sent there cannot be ` +
    'credited.',
  processing: {
    subject: (symbol: string) => `Your payment for ${symbol} has arrived`,
    preview: 'It is being confirmed by the network. There is nothing left to do.',
    heading: 'Your payment has arrived',
    seen: (network: string) => `We have seen your payment on the ${network} network.`,
    nothingToDo: 'There is nothing left for you to do.',
    once: (confirmations: number) =>
      `Once it has ${confirmations === 1 ? 'one confirmation' : `${confirmations} confirmations`}, `,
    late: (once: string) =>
      `It came after the time to pay had ended. ${once}you get tokens for it at the original or ` +
      'the current price, whichever gives fewer, while any are left. The rest is owed ' +
      'back to you. Either way, we will email you again.',
    underpaid: (once: string) =>
      `It is less than what was asked for. ${once}you get tokens for what arrived, or it is ` +
      'owed back to you if that is too little. Either way, we will email you again.',
    overpaid: (once: string) =>
      `It is more than was asked for. ${once}your tokens are credited, and the surplus buys tokens ` +
      'while any are left. The rest is owed back to you. We will email you again.',
    held: {
      subject: (symbol: string) => `We are reviewing your payment for ${symbol}`,
      preview: 'We will email you once that is done.',
      heading: 'We are reviewing your payment',
      text: 'We are reviewing it, and will email you once that is done.',
      takenBack: 'What was credited is taken back until that is decided.',
    },
    onItsWay: (once: string) => `${once}your tokens are credited and we will email you again.`,
  },
  completed: {
    subject: (tokens: string) => `${tokens} are yours`,
    preview: (number: string) => `Your purchase ${number} is complete. This is your receipt.`,
    heading: 'Your purchase is complete',
    text: 'The tokens have been credited to your account. This email is your receipt.',
    underpaid: 'Less arrived than was asked for, so you get tokens for what arrived.',
    overpaid: (unused: UnusedText) =>
      rest(unused) === ''
        ? 'More arrived than was asked for, and all of it has bought tokens.'
        : `More arrived than was asked for.${rest(unused)}`,
    late: (unused: UnusedText) =>
      'A payment arrived after the purchase had expired, so it was credited at the original or the ' +
      `current price, whichever gives fewer tokens.${rest(unused)}`,
    wrongAsset: (isSent: boolean) =>
      'Something else has arrived at the address as well. ' +
      (isSent
        ? 'It has been sent back.'
        : 'It is owed back to you: open the purchase to get it back.'),
  },
  toppedUp: {
    subject: (more: string) => `Another ${more} are yours`,
    preview: 'Another payment has arrived for a purchase that was complete.',
    heading: 'Your purchase has grown by',
    text: (unused: UnusedText) =>
      'Another payment has arrived for a purchase that was complete, and the tokens that it bought ' +
      `have been credited to your account.${rest(unused)}`,
    paidInAll: 'Paid in total',
    tokensInAll: 'Tokens in total, with bonuses',
  },
  underpaid: {
    subject: (due: string, symbol: string) => `${due} is missing from your ${symbol} purchase`,
    preview: (deadline: string) =>
      `Send the rest to the same address. The time to pay ends ${deadline}.`,
    heading: 'A part of your payment is missing',
    text: (deadline: string) =>
      'A payment has arrived, but it is less than what was asked for. Send the rest to the same ' +
      `address. The time to pay ends ${deadline}.`,
  },
  restTooSmall: {
    subject: (symbol: string) => `A part of the payment for your ${symbol} purchase is missing`,
    preview: (deadline: string) => `Please send nothing more. The time to pay ends ${deadline}.`,
    heading: 'Please send nothing more',
    text: (deadline: string) =>
      'A payment has arrived, but it is less than what was asked for. What is missing is less than ' +
      `the payment service accepts, so please do not send it. The time to pay ends ${deadline}: then ` +
      'you get tokens for what has arrived, or it is refunded if it is too little.',
  },
  expired: {
    subject: (symbol: string) => `Your ${symbol} purchase has expired`,
    preview: (at: string) => `No confirmed payment came by ${at}.`,
    heading: 'Your purchase has expired',
    text: (at: string) =>
      `No confirmed payment came by ${at}, so the tokens are no longer reserved for you. If you did ` +
      'not pay, there is nothing to do, and you can buy again while tokens are on sale.',
    ifPaid:
      'If you did pay, do not worry: the address is still watched, and a late payment is credited ' +
      'or owed back to you.',
  },
  paidLate: {
    subject: (symbol: string) => `Your payment for ${symbol} came too late`,
    preview: 'It can buy no tokens. Once it is confirmed, it is owed back to you.',
    heading: 'Your payment came too late',
    text: (at: string) =>
      `A payment of yours has arrived, but after ${at}, and it can buy no tokens any more. Once the ` +
      'network has confirmed it, it is owed back to you, and we will email you again.',
  },
  failed: {
    subject: (symbol: string) => `Your ${symbol} purchase could not be completed`,
    preview: 'No tokens were credited. What you sent is owed back to you.',
    heading: 'Your purchase could not be completed',
    text:
      'No tokens were credited. Whatever you have sent is recorded and owed back to you: open the ' +
      'purchase to get it back.',
    short: (owed: string) =>
      `No tokens were credited: less than the minimum arrived in time. What came, ${owed}, ` +
      'is owed back to you: open the purchase to get it back.',
    ended: {
      subject: (symbol: string) => `Your ${symbol} purchase has been cancelled`,
      preview: 'You do not receive its tokens. What you sent is owed back to you.',
      heading: 'Your purchase has been cancelled',
      text:
        'You do not receive its tokens. Whatever you have sent is recorded and owed back to you: open ' +
        'the purchase to get it back.',
    },
    withoutMoney: {
      preview: 'You get no tokens for it, and we hold no payment of yours.',
      text:
        'You get no tokens for it, and we hold no payment of yours, so nothing is owed back to you. ' +
        'A payment that we showed earlier was sent back by the service that received it, or was ' +
        'undone on its network. If you paid and nothing came back, write to us.',
    },
  },
  missedSoftCap: {
    subject: (symbol: string) => `The ${symbol} sale did not raise enough: you get your money back`,
    preview: 'The sale did not raise the amount it needed. What you paid is owed back to you.',
    heading: 'The sale did not raise enough',
    text:
      'The sale did not raise the amount it needed and has been cancelled. The tokens of your ' +
      'purchase are taken back, and whatever you paid is owed back to you in the coin that you paid in: ' +
      'open the purchase to get it back. The sale pays the network fee.',
  },
  withdrawn: {
    subject: (symbol: string, number: string) =>
      `You have withdrawn from your ${symbol} purchase ${number}`,
    preview: (at: string) => `Your withdrawal arrived on ${at}.`,
    heading: 'Your withdrawal has arrived',
    text: (at: string) =>
      `You have withdrawn from the contract below. Your statement arrived on ${at}. This email is its ` +
      'acknowledgement: please keep it.',
    tokens: 'The tokens go back to the sale.',
    owed:
      'What you paid is owed back to you in the same coin, and the ' +
      'sale pays the network fee: open the purchase to get it back.',
    owedToErased:
      'What you paid is owed back to you in the same coin, and the ' +
      'sale pays the network fee: write to us to have it sent back.',
    held: 'We are reviewing your payment, and will email you once that is done.',
    statement: 'Statement',
    statementText: 'I withdraw from this contract.',
    arrived: 'Arrived',
    contract: 'Contract of',
    confirmedTo: 'Acknowledged to',
  },
  reversed: {
    subject: (symbol: string) => `Your payment for ${symbol} is no longer on the network`,
    preview: 'The network has taken it back. Please look at your wallet.',
    heading: 'Your payment is no longer on the network',
    text: (network: string) =>
      `The ${network} network has taken back a payment of this purchase, which happens when it ` +
      'rearranges its last blocks or when a payment is replaced. Most such payments come back by ' +
      'themselves; then everything continues as if nothing had happened.',
    look: 'Please check in your wallet whether the payment is still under way.',
    atGateway: {
      subject: (symbol: string) => `A payment of your ${symbol} purchase no longer counts`,
      preview: 'It was sent back, or its network has undone it.',
      heading: 'A payment no longer counts',
      text:
        'A payment of this purchase no longer counts: the service that received it has sent it back, or ' +
        'its network has undone it. If nothing has come back to you, write to us.',
    },
    left: (tokens: string) => `What is left of the purchase has bought ${tokens}.`,
  },
  refundListed: {
    subject: (owed: string | null, symbol: string) =>
      owed === null
        ? `A payment of your ${symbol} purchase is owed back to you`
        : `${owed} of your ${symbol} purchase is owed back to you`,
    preview: 'It could not buy tokens. Open the purchase to get it back.',
    heading: 'A refund is due to you',
    text: 'What arrived could not buy tokens, so we owe it to you. Open the purchase to get it back.',
    reversed: {
      preview: 'Open the purchase to get it back.',
      text: 'We owe this to you. Open the purchase to get it back.',
    },
    owed: 'Owed back',
    reasons: {
      underpaid: 'A payment that was less than what was asked for, and too little to buy tokens.',
      overpaid:
        'A payment that was more than what was asked for: the part that could not buy tokens.',
      late: 'A payment that came after the time to pay had ended: the part that could not buy tokens.',
      wrong_asset: 'A payment in something other than what this purchase asked for.',
      failed: 'A payment for tokens that could not be credited.',
      withdrawn: 'What you paid for the purchase that you have withdrawn from.',
      soft_cap:
        'What you paid: it goes back to you because the sale did not raise the amount it needed.',
    },
  },
  foreignTransfer: {
    subject: (symbol: string) => `Your ${symbol} purchase received a token that it cannot use`,
    preview: 'It buys nothing. If you sent it by mistake, please write to us.',
    heading: 'A token arrived that this sale does not take',
    text:
      'A token that this sale does not take was sent to the address of your purchase. It buys nothing, ' +
      'and what is to be paid has not changed. Strangers send such tokens too: do not follow any ' +
      'link or promise that a token carries in its name.',
    ifYours:
      'If you sent it yourself by mistake, please write to us with the transaction; we will look into it. ' +
      'If you did not, there is nothing to do. We write about this once for each purchase.',
  },
  refundPaid: {
    subject: (amount: string | null, symbol: string) =>
      amount === null
        ? `A payment of your ${symbol} purchase has been paid back to you`
        : `${amount} of your ${symbol} purchase has been paid back to you`,
    preview: (hash: string) => `By the transaction ${hash}.`,
    heading: 'Your refund has been paid',
    text: 'What your purchase could not use has been paid back by this transaction.',
    reversed: 'What you paid for your purchase has been paid back by this transaction.',
    paidBack: 'Paid back',
    wait: 'The network may take some time until it shows in your wallet.',
  },
  rewarded: {
    subject: (earned: string) => `You have earned ${earned}`,
    preview: 'A friend you referred has bought tokens.',
    heading: 'You have earned',
    text: (usd: string) =>
      'A friend you referred has bought tokens. Your reward, worth ' +
      `${usd} at the current price, has been credited to your account. Thank you!`,
  },
  rewardedAgain: {
    subject: (earned: string) => `Your reward of ${earned} is back`,
    preview: 'The purchases that earned it count again.',
    heading: 'Your reward is back',
    text: 'The purchases of a friend you referred count again, so your reward is back in your account.',
  },
  rewardReversed: {
    subject: (earned: string) => `Your reward of ${earned} is taken back`,
    preview: 'The purchases that earned it do not count at present.',
    heading: 'Your reward is taken back',
    text: (earned: string) =>
      `You had earned ${earned} through the purchases of a friend you referred. They do not count ` +
      'at present, so the reward is taken back from your account. If they count again, you get it again.',
  },
}

/** What could buy no tokens of all that came, after another sentence; empty if there is nothing. */
function rest({ owed, sent }: UnusedText): string {
  if (owed !== null && sent !== null) {
    return (
      ` Of what could not buy tokens, ${sent} has been sent back, less any network fee, and ${owed} is ` +
      'owed back to you: open the purchase to get it back.'
    )
  }
  if (owed !== null) {
    return ` In all, ${owed} could not buy tokens and is owed back to you: open the purchase to get it back.`
  }
  if (sent === null) return ''
  return ` In all, ${sent} could not buy tokens and has been sent back, less any network fee.`
}

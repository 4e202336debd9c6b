/** Texts of the page with which anybody can check that a purchase was not left out. */
export const proof = {
  heading: 'Proof',
  intro: (symbol: string) =>
    `When the sale is over, who owns how many ${symbol} is written down once: a snapshot. Its root, ` +
    'a kind of fingerprint, stands for all of it: nobody can add, change or leave out a purchase ' +
    'without changing it. Nobody can tell from it what anybody else has.',
  failed: 'The snapshots could not be loaded',
  none: 'There is no snapshot yet',
  noneHint: 'The books are closed after the sale. Then the root is published here.',
  snapshot: (number: number) => `Snapshot ${number}`,
  corrects: (number: number) => `It corrects snapshot ${number}, whose proofs no longer count.`,
  date: 'Taken',
  total: 'Total',
  count: 'Purchases and rewards',
  root: 'Root',
  check: {
    title: 'Check a proof file',
    text: 'The file is read on this page and sent nowhere. It may hold one proof or many.',
    drop: 'Drop a proof file here, or choose one',
    choose: 'Choose a file',
    right: 'It is in the snapshot',
    rightText: (tokens: string, snapshot: number) =>
      `${tokens} are in snapshot ${snapshot}, under the root that is published here.`,
    old: (snapshot: number) =>
      `It is genuine, but snapshot ${snapshot} has been corrected since. Use a newer file.`,
    wrong: 'It does not match',
    noReceipt: 'This is not a proof file, or it was changed.',
    otherPurchase: 'It proves a different purchase from the one that it names.',
    notInTree: 'What it says is not in the tree of its root.',
    otherRoot: 'Its root is not one of those that are published here.',
    purchase: 'Purchase',
  },
  own: {
    title: 'Your proofs',
    text:
      'One for each purchase and reward, in one file. Keep it, and keep it to yourself: ' +
      'whoever has it sees what you bought.',
    download: 'Download your proofs',
    nothing: 'You have nothing in the snapshot',
    failed: 'The proofs could not be loaded',
  },
  /** Of one purchase, in its dialog. */
  receipt: {
    text: (snapshot: number) => `Your purchase is in snapshot ${snapshot} of who owns what.`,
    download: 'Download the proof',
    check: 'Check it',
  },
  without: {
    title: 'Check it without us',
    offline: 'Save this file and open it from your disk, without a network:',
    offlineLink: 'the offline check',
    command: 'Or run the command in a copy of the source code:',
    library:
      'Or with any library: the tree is that of @openzeppelin/merkle-tree (standard-v1). A leaf has ' +
      'keccak256(salt ‖ id) as bytes32 and the tokens in base units as uint256.',
  },
}

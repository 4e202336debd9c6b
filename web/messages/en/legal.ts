/** The long texts of the static pages. Loaded with those pages alone. */

export interface LegalSection {
  title: string
  paragraphs: string[]
}

interface Named {
  project: string
  site: string
}

export const termsSections = ({ project, site }: Named): LegalSection[] => [
  {
    title: 'What these terms cover',
    paragraphs: [
      `These terms apply to ${site}, where ${project} sells its token before the token is traded. By creating an account you accept them.`,
      'You may only take part if you are of full age and if buying such tokens is allowed where you live. You are responsible for knowing the law that applies to you.',
    ],
  },
  {
    title: 'Your account',
    paragraphs: [
      'Give correct details and keep your password to yourself. Whatever is done while you are logged in counts as done by you.',
      'Tell us at once if you think that somebody else knows your password. We can end your sessions and ask you for a new password.',
    ],
  },
  {
    title: 'Buying tokens',
    paragraphs: [
      'Each stage of the presale has its own price, supply and end. The price, the bonuses and the amount due are fixed for a purchase when you make it, and stay so until the time shown beside it runs out.',
      'Send exactly the amount shown, in the token shown, on the network shown, to the address shown. What is sent on another network or in another token may be lost for good. What arrives too late or is too little is dealt with as the purchase tells you.',
      'Tokens are credited once the payment has the confirmations that its network needs. Payments in a cryptocurrency cannot be called back.',
    ],
  },
  {
    title: 'No advice, no promise',
    paragraphs: [
      'Nothing on this site is financial advice. The value of a token can fall to nothing. Only spend what you can afford to lose.',
      'No return is promised, and nobody is authorised to promise one in our name.',
    ],
  },
  {
    title: 'Referrals',
    paragraphs: [
      'A reward for a referral is credited once, when the purchases of the person you invited reach the amount shown. Inviting yourself earns nothing.',
    ],
  },
  {
    title: 'Changes',
    paragraphs: [
      'We may change these terms for the time to come. A purchase keeps the terms under which it was made.',
    ],
  },
]

export const privacySections = ({ project, site }: Named): LegalSection[] => [
  {
    title: 'Who is responsible',
    paragraphs: [
      `${project} decides what happens to the personal data collected on ${site}, and is the controller under the General Data Protection Regulation (GDPR).`,
    ],
  },
  {
    title: 'What we collect',
    paragraphs: [
      'Account data: your email and your password, which is stored only as a hash that cannot be turned back, your name, nationality and, if you give it, your phone number.',
      'Optional two-factor login: if you turn on an authenticator app, the secret that it shares with us.',
      'Usage data: the time of access, your device, operating system and browser, and your IP address.',
      'Purchases: what you bought, when, in which token and to which address it was paid. Payments on a public blockchain can be read by everybody.',
    ],
  },
  {
    title: 'What we use it for',
    paragraphs: [
      'To run your account and your purchases (performance of a contract), to protect accounts and payments against misuse (legitimate interest), and to meet legal duties such as keeping books.',
      'We do not sell your data.',
    ],
  },
  {
    title: 'Cookies and local storage',
    paragraphs: [
      'We set no advertising cookies. What the site needs to remember, your session, the notices you dismissed and the theme you chose, is kept in the storage of your browser and goes when you log out or clear it.',
    ],
  },
  {
    title: 'How long we keep it',
    paragraphs: [
      'Account data is kept while you have an account. When your account is erased your personal fields are replaced; the records of purchases stay, without your name, because books must be kept.',
    ],
  },
  {
    title: 'Your rights',
    paragraphs: [
      'Under the GDPR you may ask for a copy of your data, have it corrected or erased, restrict or object to its use, take it elsewhere, and complain to a supervisory authority.',
    ],
  },
]

export const info = {
  heading: (name: string) => `The ${name} presale`,
  tagline: 'Where influence is currency',
  launch: 'Launching August 2022',
  facts: [
    { label: 'Total supply', value: '10 trillion', detail: 'HUH' },
    { label: 'For the presale', value: '35%', detail: 'Unsold tokens are burned' },
    { label: 'For the swap from v1 to v2', value: '18%', detail: 'Reserved, swapped 1:2' },
    {
      label: 'Length of the presale',
      value: '6 months',
      detail: 'One stage a month, each at a higher price',
    },
    { label: 'Vesting', value: '5 months', detail: 'After the token is generated' },
    { label: 'Conversion at TGE', value: '1%', detail: 'To start with, rising to 100%' },
  ],
  sections: [
    {
      title: 'How the price moves',
      paragraphs: [
        'The presale runs for 6 months in monthly stages, and the price rises from stage to stage. The price of the token is set at the end of stage 6.',
      ],
    },
    {
      title: 'What happens to the tokens',
      paragraphs: [
        'The total supply is 10 trillion HUH. 35% of it is for the presale; what is not sold is burned. 18% is reserved for the swap from v1 to v2 at 1:2.',
      ],
    },
    {
      title: 'When you get yours',
      paragraphs: [
        'Tokens vest over 5 months. At the token generation event (TGE), when the token comes into being, 1% of what you bought is converted; the share rises step by step to 100%.',
      ],
    },
  ] satisfies LegalSection[],
  register: 'Create an account',
}

export const legalTitles = {
  terms: 'Terms and Conditions',
  privacyPolicy: 'Privacy Policy',
}

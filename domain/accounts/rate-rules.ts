type RateLimit = { triesMax: number; perSeconds: number }

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How many attempts a key may make: an address, an account, a user. `connectionOf` decides what
 * counts as one address. A household or an office may share it, so its limits are generous. An
 * account's password may be tried 100 times a day from unknown networks, and 100 times from each
 * network that it has logged in from, so that strangers' guesses lock nobody out. Mails for a
 * forgotten password are counted in the same way. What sends mails on demand is counted by address,
 * and so are erasures: otherwise whoever registers a stranger's address, erases it and begins anew
 * would flood it.
 */
export const rateRules = {
  register_by_address: { triesMax: 60, perSeconds: HOUR },
  register_by_network: { triesMax: 1200, perSeconds: HOUR },
  register_taken_by_address: { triesMax: 10, perSeconds: HOUR },
  login_by_address: { triesMax: 300, perSeconds: 10 * MINUTE },
  login_by_account_and_address: { triesMax: 10, perSeconds: 15 * MINUTE },
  login_by_account: { triesMax: 100, perSeconds: DAY },
  login_by_account_and_network: { triesMax: 100, perSeconds: DAY },
  code_by_login: { triesMax: 10, perSeconds: 15 * MINUTE },
  code_by_login_and_day: { triesMax: 50, perSeconds: DAY },
  code_by_user: { triesMax: 10, perSeconds: 15 * MINUTE },
  code_by_user_and_day: { triesMax: 50, perSeconds: DAY },
  two_factor_change_by_account: { triesMax: 10, perSeconds: DAY },
  refresh_by_address: { triesMax: 1200, perSeconds: 10 * MINUTE },
  session_reused_by_account: { triesMax: 10, perSeconds: DAY },
  forgot_by_address: { triesMax: 60, perSeconds: HOUR },
  forgot_cooldown: { triesMax: 1, perSeconds: MINUTE },
  forgot_by_account: { triesMax: 10, perSeconds: DAY },
  verification_cooldown: { triesMax: 1, perSeconds: MINUTE },
  verification_by_account: { triesMax: 10, perSeconds: DAY },
  link_by_address: { triesMax: 60, perSeconds: HOUR },
  link_by_user: { triesMax: 30, perSeconds: HOUR },
  password_proof_by_user: { triesMax: 60, perSeconds: 10 * MINUTE },
  password_by_user: { triesMax: 10, perSeconds: 15 * MINUTE },
  password_by_user_and_day: { triesMax: 100, perSeconds: DAY },
  password_change_by_account: { triesMax: 10, perSeconds: DAY },
  erasure_by_account: { triesMax: 5, perSeconds: DAY },
  operator_by_address: { triesMax: 300, perSeconds: 10 * MINUTE },
  operator_by_id: { triesMax: 1_800, perSeconds: 10 * MINUTE },
  record_by_operator: { triesMax: 300, perSeconds: HOUR },
  operator_wrong_by_address: { triesMax: 10, perSeconds: 15 * MINUTE },
  operator_sign_in_by_address: { triesMax: 120, perSeconds: 10 * MINUTE },
  operator_sign_in_by_account_and_address: { triesMax: 10, perSeconds: 15 * MINUTE },
  operator_sign_in_by_account: { triesMax: 50, perSeconds: DAY },
  operator_sign_in_by_account_and_network: { triesMax: 50, perSeconds: DAY },
  operator_unknown_by_network: { triesMax: 600, perSeconds: HOUR },
  operator_invitation_by_address: { triesMax: 60, perSeconds: HOUR },
  refund_address_by_user: { triesMax: 120, perSeconds: 10 * MINUTE },
  refund_claim_by_user: { triesMax: 20, perSeconds: DAY },
  wallet_message_by_user: { triesMax: 60, perSeconds: HOUR },
  wallet_set_by_user: { triesMax: 20, perSeconds: DAY },
  export_by_user: { triesMax: 20, perSeconds: HOUR },
  webhook_by_address: { triesMax: 6000, perSeconds: 10 * MINUTE },
  webhook_wrong_by_address: { triesMax: 60, perSeconds: 10 * MINUTE },
  webhook_by_hand: { triesMax: 120, perSeconds: 10 * MINUTE },
} satisfies Record<string, RateLimit>

/** Each rule counts attempts by the key in its name. */
export type RateRule = keyof typeof rateRules

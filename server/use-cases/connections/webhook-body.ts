/** What a webhook contains: the ids of what happened, with which its receiver asks for the rest. */
export type WebhookMessage = {
  messageId: string
  type: string
  at: Date
  data: Readonly<Record<string, string>>
}

/** The body of an event: the same bytes at every attempt, since signatures cover them. */
export function webhookBody({ messageId, type, at, data }: WebhookMessage): string {
  return JSON.stringify({ type, id: messageId, timestamp: at.toISOString(), data })
}

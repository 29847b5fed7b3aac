/** A failed attempt: nodemailer's code, the SMTP command, and the server's response. */
interface SmtpFailure {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

/**
 * The reason of a permanent failure, in the server's words without addresses; undefined when a retry may succeed. Permanent are a 5xx response to
 * the recipient or message, and an address that is invalid in SMTP. A refused sign-in, greeting or sender is a matter of configuration, which can
 * be corrected.
 */
export function permanentRefusal(error: unknown): string | undefined {
  const { code, command, responseCode = 0, response = '' } = error as SmtpFailure
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return undefined
  if (command === 'API') return 'The address cannot be written to'
  const aboutTheMail = command === 'RCPT TO' || command === 'DATA'
  return aboutTheMail && responseCode >= 500 ? withoutAddresses(response) || `SMTP ${responseCode}` : undefined
}

/** A server's response on one line, with addresses masked, because it is stored, logged and shown where addresses must not appear. */
export const withoutAddresses = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/<[^<>]*@[^<>]*>|"[^"]*"@\S+|[^\s<>"(),:;]+@[^\s<>"(),:;]+/g, '<address>')
    .trim()

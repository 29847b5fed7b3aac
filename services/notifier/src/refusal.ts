/** What is known of a failed attempt: nodemailer's code, the SMTP command that was answered, and the answer. */
interface SmtpFailure {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

/**
 * Why a mail will never arrive, in the server's words without any address; undefined when another attempt may succeed. Final is a 5xx about
 * the recipient or the message, and an address that no SMTP command can carry. A refused sign-in, greeting or sender is about the set-up,
 * which may be put right.
 */
export function permanentRefusal(error: unknown): string | undefined {
  const { code, command, responseCode = 0, response = '' } = error as SmtpFailure
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return undefined
  if (command === 'API') return 'The address cannot be written to'
  const aboutTheMail = command === 'RCPT TO' || command === 'DATA'
  return aboutTheMail && responseCode >= 500 ? withoutAddresses(response) || `SMTP ${responseCode}` : undefined
}

/** A server's words on one line, addresses masked: they are kept, logged and shown where the address is not. */
export const withoutAddresses = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/<[^<>]*@[^<>]*>|"[^"]*"@\S+|[^\s<>"(),:;]+@[^\s<>"(),:;]+/g, '<address>')
    .trim()

/** A failed attempt: nodemailer's code and text, the SMTP command, and the server's response. */
interface SmtpFailure {
  readonly code?: string
  readonly message?: string
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
  const failure = error as SmtpFailure
  const { code, command, message = '', responseCode = 0, response = '' } = failure
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return undefined
  // Refused by nodemailer itself, as is an invalid sender.
  if (command === 'API') return /^(Invalid|No) recipient/.test(message) ? 'The address cannot be written to' : undefined
  const followsRecipient = command === 'RCPT TO' || command === 'DATA'
  if (!followsRecipient || responseCode < 500 || concernsUs(failure)) return undefined
  return withoutAddresses(response) || `SMTP ${responseCode}`
}

/** Replies that demand or refuse a sign-in (RFC 4954). */
const signInReplies = [530, 535]
/** Enhanced status codes (RFC 3463) of a bad sender, and of security and policy: relaying, permission to send, authentication of the sender. */
const aboutUs = /^5\d\d[ -]5\.(1\.[78]|7\.\d{1,3})(?!\d)/
/**
 * Amazon SES gives no enhanced status code. Its texts for an identity that is not verified (in its sandbox also the recipient's), a paused
 * account, and credentials without the right to send.
 */
const sesAboutUs =
  /^554 (Message rejected: (Email address is not verified|Sending (paused|suspended) for this account)|Access denied: User )/

/** Whether a refusal is about the sender: many servers, such as Postfix by default, give it only in response to the recipient or message. */
const concernsUs = ({ responseCode = 0, response = '' }: SmtpFailure): boolean =>
  signInReplies.includes(responseCode) || aboutUs.test(response) || sesAboutUs.test(response)

/** The search for addresses takes a time that grows with the square of the length. UTF-16 units. */
const longestSearched = 4_000

/** The beginning of a server's response on one line, with addresses masked, because it is stored, logged and shown where addresses must not appear. */
export const withoutAddresses = (text: string): string =>
  text
    .slice(0, longestSearched)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/<[^<>]*@[^<>]*>|"[^"]*"@\S+|[^\s<>"(),:;]+@[^\s<>"(),:;]+/g, '<address>')
    .trim()

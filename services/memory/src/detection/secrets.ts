/** Words that announce a secret. */
const named =
  /(?:^|[^\p{L}])(?:pass ?(?:word|code|phrase|wd)s?|pwd|pin(?: code| number)?|cvv|cvc|api[ -_]?keys?|secrets?|(?:access |bearer |auth |refresh )?tokens?|private key|seed phrase|recovery (?:code|phrase)s?|otp|2fa|ssn|social security|credit card|card number|bank account|iban|routing number|passport number|contraseñas?|clave|número de tarjeta|tarjeta de crédito|mot de passe|code secret|numéro de carte|carte bancaire|numéro de sécurité sociale|passwort|kennwort|passwörter|geheimzahl|kreditkarte\p{L}*|kontonummer|zugangsdaten|sozialversicherungsnummer)(?![\p{L}])|كلمة (?:ال)?(?:سر|مرور)|الرقم السري|رقم البطاقة|بطاقة الائتمان|密码|口令|密钥|银行卡|信用卡号|身份证号|验证码|パスワード|暗証番号|暗号鍵|クレジットカード|口座番号|マイナンバー|秘密鍵/iu

/** Formats of known secrets. */
const shaped =
  /(?:^|[^\w])(?:sk-[\w-]{8,}|sk_(?:live|test)_\w+|pk_(?:live|test)_\w+|AKIA[0-9A-Z]{12,}|gh[pousr]_\w{16,}|github_pat_\w+|xox[abprs]-[\w-]+|AIza[\w-]{20,}|ya29\.[\w-]+|glpat-[\w-]+|eyJ[\w-]{8,}\.[\w-]+|hf_\w{16,}|SG\.[\w-]{10,}|[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?)|-----BEGIN|\/\/[^/\s:@]+:[^/\s@]+@|(?:^|\D)\d{3}-\d{2}-\d{4}(?:\D|$)/u

/** Only words longer than this are checked for randomness. */
const longWord = 12
/** Entropy in bits per character of random letters and digits; natural words have less, or no digits. */
const drawnBits = 3.2

/** Whether a text contains a secret, judged by neighbouring words, format, check digit or randomness. */
export function hasSecret(text: string): boolean {
  if (named.test(text) || shaped.test(text)) return true
  if ((text.match(/\d(?:[ -]?\d){12,18}/g) ?? []).some(isCardNumber)) return true
  return text.split(/[\s,;"'()]+/).some(isDrawn)
}

const isDrawn = (word: string): boolean =>
  word.length >= longWord &&
  /^[\x21-\x7e]+$/.test(word) &&
  /\d/.test(word) &&
  /[A-Za-z]/.test(word) &&
  !/^(?:https?:\/\/|www\.)|^[\w.+-]+@[\w.-]+$/.test(word) &&
  entropy(word) >= drawnBits

function entropy(word: string): number {
  let bits = 0
  for (const [, all] of Map.groupBy(word, (character) => character)) {
    const share = all.length / word.length
    bits -= share * Math.log2(share)
  }
  return bits
}

/** The Luhn check. */
function isCardNumber(found: string): boolean {
  const digits = [...found.replace(/\D/g, '')].reverse().map(Number)
  const sum = digits.reduce((total, digit, at) => {
    const doubled = at % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

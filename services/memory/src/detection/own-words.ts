/** Longer messages were probably pasted and are skipped. UTF-16 units. */
const mostRead = 4_000
/** Longer paragraphs were probably pasted. */
const longParagraph = 400
/** Sentences analysed per message. */
const mostSentences = 60
/** The length of a sentence; sentences in languages without spaces are short. */
const length = { least: 4, most: 300 }

/** A header line of a mail: two of them mean a pasted mail. */
const mailHeader =
  /^\s*(?:from|to|cc|subject|sent|date|von|an|betreff|gesendet|datum|de|para|asunto|enviado|fecha|à|objet|envoyé|差出人|宛先|件名|送信日時|发件人|收件人|主题|日期|من|إلى|الموضوع|التاريخ)\s*[::]/gimu
const mailBody =
  /^\s*(?:-{2,}\s*(?:original|forwarded|ursprüngliche|mensaje|message)|on .{4,80} wrote:|am .{4,80} schrieb|le .{4,80} a écrit|el .{4,80} escribió|(?:best|kind|warm) regards|sincerely|mit freundlichen grüßen|viele grüße|cordialement|bien à vous|saludos cordiales|un saludo|atentamente|此致|敬具|よろしくお願いいたします|مع (?:خالص )?التحية)/imu

/** A request to process the text that follows. */
const task =
  /(?:^|[^\p{L}])(?:translat\p{L}*|summari[sz]\p{L}*|rewrite|rephrase|paraphrase|proofread|correct|improve|edit|fix|analy[sz]e|explain|review|classify|quote|repeat|write|draft|compose|traduc\p{L}*|tradui\p{L}*|resum\p{L}*|résum\p{L}*|corrig\p{L}*|reescrib\p{L}*|reformul\p{L}*|escrib\p{L}*|redact\p{L}*|rédig\p{L}*|écri\p{L}*|übersetz\p{L}*|fass\p{L}*|korrigier\p{L}*|verbesser\p{L}*|formulier\p{L}*|schreib\p{L}*|prüf\p{L}*|ترجم\p{L}*|لخص\p{L}*|صحح\p{L}*|اكتب\p{L}*|أعد)(?:[^\p{L}].{0,80})?[::]|(?:翻译|总结|改写|修改|润色|校对|解释|分析|写|翻訳|要約|添削|校正|書き直|直して|説明|訳して)[^。\n]{0,30}[::]/iu

/** Hypotheticals and role play, which are not facts about the user. */
const supposed =
  /(?:^|[^\p{L}])(?:if i|imagine|suppose|pretend|let['’]?s say|assume (?:that )?i|hypothetically|as if i|what if|in this story|the character|act as|role-?play|you are an?|si yo|imagina|supong\p{L}*|finge|si j['’]|imagine[zr]?|suppos\p{L}*|fais comme si|wenn ich|stell dir|angenommen|tu so|nehmen wir an|لو كنت|تخيل|افترض|تظاهر|إذا كنت)(?![\p{L}])|(?:如果我|假如我|假设|想象一下|扮演|假装|もし(?:私|僕|俺)?|仮に|想像して|のふりをして|役を演じ)/iu

/** Prompt injections: addressed to the model rather than about the user. */
const injected =
  /(?:ignor\p{L}*|disregard|forget|override|bypass|vergiss|olvida|oublie\p{L}*)\s(?:.{0,30}\s)?(?:previous|prior|above|earlier|instructions?|rules|guidelines|restrictions|anweisungen|regeln|vorherigen|instrucciones|reglas|anteriores|précédentes?|consignes|règles)|system ?prompt|developer mode|jailbreak|unrestricted|no restrictions|without restrictions|exfiltrat|send (?:all|every|the) .{0,30}\sto |(?:忽略|无视|忘记)[^。]{0,10}(?:指令|说明|规则|提示)|系统提示|(?:指示|ルール|命令)を(?:無視|忘れ)|システムプロンプト|(?:تجاهل|انس) .{0,20}(?:التعليمات|القواعد)|<\/?(?:system|assistant|user|tool|memory|source)\b|\[(?:system|inst)\]|!\[/iu

/** Text in the quotation marks of any language; a short one may be a name and is kept. */
const quoted = /"[^"]{16,}"|[“„«「『‹][^“”„«»「」『』‹›]{8,}(?:[”“»」』›]|$)/u

/**
 * The sentences that the user presumably wrote about themselves: without code, quotes, mails and other pasted texts, questions, hypotheticals and
 * prompt injections.
 */
export function ownSentences(message: string): string[] {
  if (message.length > mostRead || injected.test(message)) return []
  if ([...message.matchAll(mailHeader)].length > 1 || mailBody.test(message)) return []
  const plain = message
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/`[^`\n]*`/g, ' ')
    .replace(/^\s*(?:>|\|).*$/gm, '')
  const sentences: string[] = []
  for (const paragraph of plain.split(/\n+/)) {
    if (task.test(paragraph)) break
    if (paragraph.length > longParagraph) continue
    sentences.push(...sentencesOf(paragraph).filter(isOwn))
    // A text after a line that ends with a colon was probably pasted.
    if (/[::]\s*$/.test(paragraph)) break
  }
  return sentences.slice(0, mostSentences)
}

const sentencesOf = (paragraph: string): string[] =>
  paragraph
    .split(/(?<=[.!?؟۔]["”»)]?)\s+|(?<=[。!?！？])/u)
    .map((sentence) => sentence.replace(/^[\s\-*•\d.)]+(?=\p{L})/u, '').trim())

const isOwn = (sentence: string): boolean =>
  sentence.length >= length.least &&
  sentence.length <= length.most &&
  !/[?？؟]["”»)]?$/u.test(sentence) &&
  !/か[。]?$/u.test(sentence) &&
  !/吗[。]?$/u.test(sentence) &&
  !quoted.test(sentence) &&
  !supposed.test(sentence) &&
  !/https?:\/\/\S{60,}/.test(sentence)

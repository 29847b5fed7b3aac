/** Ids of texts that a field shows, as those of `TextField`. */
interface Field {
  readonly label: string
  readonly hint?: string
  readonly aside?: string
  readonly secret?: boolean
  /** The space below it, as the form's own. */
  readonly space: 'mb-3' | 'mb-4' | 'mb-5'
}

/** What a screen of `src/features/auth` shows at first, by the ids of its texts. */
interface Form {
  readonly title: string
  readonly lead: string
  /** Its lead where this tab keeps a guest's chat, and where this browser keeps a draft. */
  readonly leadChat?: string
  readonly leadDraft?: string
  readonly parts: readonly string[]
  readonly submit: string
  readonly foot?: string
  readonly tall?: boolean
}

const field = ({ label, hint, aside, secret = false, space }: Field): string => `
<div class="${space}">
  <div class="mb-1.5 flex items-baseline justify-between gap-3">
    <span class="text-sm font-medium" data-text="${label}"></span>
    ${aside ? `<span class="text-sm"><span class="font-medium text-brand" data-text="${aside}"></span></span>` : ''}
  </div>
  <div class="first-field flex h-11 items-center justify-end rounded-card border border-field-line bg-overlay">
    ${secret ? '<span class="mx-1 px-2 py-1 text-sm text-ink-2" data-text="shared.password.show"></span>' : ''}
  </div>
  ${hint ? `<p class="mt-1.5 text-sm text-ink-3" data-text="${hint}"></p>` : ''}
</div>`

const strength = `
<div class="mb-2">
  <div class="grid grid-cols-4 gap-1">${'<span class="h-1 rounded-full bg-line-strong"></span>'.repeat(4)}</div>
  <p class="mt-1.5 min-h-10 text-sm text-ink-3" data-text="shared.strength.hint"></p>
</div>`

const code = `
<p class="mb-1.5 text-sm font-medium" data-text="auth.verify.code"></p>
<div dir="ltr" class="mb-1.5 grid grid-cols-6 gap-2">
  ${'<span class="first-field h-12 rounded-card border border-field-line bg-overlay"></span>'.repeat(6)}
</div>
<p class="mb-4 min-h-5 text-sm"></p>`

const newPassword = (label: string): readonly string[] => [
  field({ label, hint: 'auth.register.passwordHint', secret: true, space: 'mb-3' }),
  strength,
  field({ label: 'auth.register.confirm', secret: true, space: 'mb-5' }),
]

/** By the names that `first-paint.js` has for them. */
const forms: Readonly<Record<string, Form>> = {
  login: {
    title: 'auth.login.title',
    lead: 'auth.login.lead',
    leadChat: 'auth.login.leadChat',
    leadDraft: 'auth.login.leadDraft',
    parts: [
      field({ label: 'auth.login.identifier', space: 'mb-4' }),
      field({ label: 'auth.password', aside: 'auth.login.forgot', secret: true, space: 'mb-5' }),
    ],
    submit: 'auth.login.submit',
    foot: 'auth.login.toRegister',
  },
  register: {
    title: 'auth.register.title',
    lead: 'auth.register.lead',
    parts: [
      field({ label: 'auth.register.username', hint: 'auth.register.usernameHint', space: 'mb-4' }),
      field({ label: 'auth.register.email', space: 'mb-4' }),
      ...newPassword('auth.password'),
    ],
    submit: 'auth.register.submit',
    foot: 'auth.register.toLogin',
    tall: true,
  },
  reset: {
    title: 'auth.reset.title',
    lead: 'auth.reset.lead',
    parts: [field({ label: 'auth.register.email', space: 'mb-5' })],
    submit: 'auth.reset.submit',
    foot: 'auth.reset.back',
  },
  'new-password': {
    title: 'auth.newPassword.title',
    lead: 'auth.newPassword.lead',
    parts: newPassword('auth.newPassword.field'),
    submit: 'auth.newPassword.submit',
    foot: 'auth.reset.back',
  },
  verify: {
    title: 'auth.verify.title',
    lead: 'auth.verify.leadPlain',
    parts: [code],
    submit: 'auth.verify.submit',
  },
}

const formHtml = ([name, { title, lead, leadChat, leadDraft, parts, submit, foot, tall = false }]: [
  string,
  Form,
]): string => `
<div data-form="${name}" class="${tall ? 'auth-card-tall' : 'auth-card'}" hidden>
  <div class="w-full max-w-card">
    <div class="mb-7 flex h-9 items-center gap-2.5 font-semibold tracking-tight pointer-coarse:h-11">
      <span class="size-6.5 rounded-[8.32px] bg-[conic-gradient(from_210deg,var(--brand),var(--second),var(--brand))] in-data-[theme=delglight]:brightness-125"></span>
      Parley
    </div>
    <p class="first-title mb-1.5 text-2xl leading-tight font-semibold tracking-tight" data-text="${title}"></p>
    <p class="mb-6 text-ink-2" data-text="${lead}"${leadChat ? ` data-text-chat="${leadChat}" data-text-draft="${leadDraft}"` : ''}></p>
    ${parts.join('')}
    <p class="first-submit flex h-11 items-center justify-center rounded-card border border-transparent bg-brand font-semibold text-on-brand" data-text="${submit}"></p>
    ${foot ? `<p class="mt-6 text-sm text-ink-2${foot.includes('.to') ? '' : ' font-medium text-brand'}" data-text="${foot}"></p>` : ''}
  </div>
</div>`

/** What `index.html` shows of the screens before the chat until the application draws them: each hidden, with the ids of its texts at their places. */
export const formsHtml = (): string => Object.entries(forms).map(formHtml).join('').replace(/\n\s*/g, '')

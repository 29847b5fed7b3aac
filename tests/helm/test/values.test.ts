import { describe, expect, it } from 'vitest'
import { chartFolder, helm, renderText, runHelm } from '../src/chart.ts'

const trial = 'devEngines.enabled=true'

describe.skipIf(helm === undefined)('values of the chart (needs helm)', () => {
  it('are accepted with the defaults for a trial, and for production', () => {
    expect(renderText({ set: [trial] })).toMatchObject({ status: 0 })
    expect(renderText({ files: ['values-prod.yaml'] })).toMatchObject({ status: 0 })
    expect(runHelm('lint', '--strict', chartFolder, '--set', trial)).toMatchObject({ status: 0 })
  })

  it('that are incomplete are refused with all missing ones named at once', () => {
    const { status, stderr } = renderText({})
    expect(status).not.toBe(0)
    const lines = stderr.split('\n').filter((line) => line.startsWith('  - '))
    expect(lines).toEqual([
      '  - publicUrl is missing: the public URL, such as https://chat.example.org',
      '  - mongo.existingSecret is missing: the name of a Secret with a MongoDB URL for each of the keys chat, memory, share',
      '  - postgres.existingSecret is missing: the name of a Secret with a PostgreSQL URL for each of the keys auth, billing, llm-router, notifier',
      '  - redis.existingSecret is missing: the name of a Secret with a Redis URL for each of the keys auth, billing, chat, gateway, llm-router, memory, realtime, share',
      '  - kafka.brokers is missing: host:port of the brokers, separated by commas',
      '  - services.notifier.secretEnv.SMTP_URL is missing: the name and key of a Secret with the URL of the mail server, such as smtps://user:password@mail.example.org; or enable services.inbox',
    ])
  })

  it.each([
    [
      'a variable that the service does not know',
      'services.chat.env={"FOO":"1"}',
      "'/services/chat/env': additional properties 'FOO' not allowed",
    ],
    [
      'a secret among plain variables',
      'services.llm-router.env={"OPENAI_API_KEY":"x"}',
      'services.llm-router.env.OPENAI_API_KEY is a secret: store it in a Secret, and set services.llm-router.secretEnv.OPENAI_API_KEY to { name: <Secret>, key: <its key> }',
    ],
    [
      'a secret among the variables of all services',
      'env={"OPENAI_API_KEY":"x"}',
      'env.OPENAI_API_KEY is a secret: store it in a Secret, and set it in secretEnv of each service that uses it',
    ],
    [
      'a variable for all services that none knows',
      'env={"LOGLEVEL":"debug"}',
      'env.LOGLEVEL is not a variable of any service: see their READMEs',
    ],
    [
      'a part of single sign-on',
      'services.auth.env={"OIDC_ISSUER":"https://id.example.org"}',
      'OIDC_CLIENT_ID, OIDC_CLIENT_SECRET of services.auth is missing: set all of OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, or none',
    ],
    [
      'more pods at least than at most',
      'services.chat.autoscaling={"enabled":true,"minReplicas":5,"maxReplicas":2}',
      'services.chat.autoscaling.minReplicas is greater than maxReplicas',
    ],
    [
      'brokers of one’s own beside those of a trial',
      'kafka.brokers="kafka.example.org:9092"',
      'kafka.brokers or kafka.tls is set, but devEngines.enabled starts its own Kafka: choose one of them',
    ],
    [
      'a Service of an edge that there is not',
      'services.edge={"enabled":false,"service":{"type":"NodePort"}}',
      'services.edge.service.type is set, but services.edge.enabled is false',
    ],
    [
      'a name of no key',
      'certificateAuthorities={"configMap":"ca","key":""}',
      "'/certificateAuthorities/key': minLength",
    ],
    ['a service that there is not', 'services.chatt={}', "'/services': additional properties 'chatt' not allowed"],
    ['a name that is misspelt', 'ingres={"enabled":true}', "additional properties 'ingres' not allowed"],
    [
      'an address with a path',
      'publicUrl="https://chat.example.org/x"',
      "'/publicUrl': 'https://chat.example.org/x' does not match pattern",
    ],
    [
      'an address that is none',
      'publicUrl="chat.example.org"',
      "'/publicUrl': 'chat.example.org' does not match pattern",
    ],
    [
      'replicas that are no number',
      'services.chat.replicas="two"',
      "'/services/chat/replicas': got string, want integer",
    ],
    [
      'a broker without a port',
      'kafka.brokers="kafka.example.org"',
      "'/kafka/brokers': 'kafka.example.org' does not match pattern",
    ],
    [
      'a network that is none',
      'postgres.networks=["db.example.org"]',
      "'/postgres/networks/0': 'db.example.org' does not match pattern",
    ],
    [
      'a secret that names no key',
      'services.llm-router.secretEnv={"OPENAI_API_KEY":{"name":"p"}}',
      "'/services/llm-router/secretEnv/OPENAI_API_KEY': missing property 'key'",
    ],
    [
      'a variable that is no text',
      'services.billing.env={"HOLD_RETENTION_DAYS":90}',
      "'/services/billing/env/HOLD_RETENTION_DAYS': got number, want string",
    ],
    [
      'a controller that is not known',
      'ingress.controller="apache"',
      "'/ingress/controller': value must be one of 'nginx', 'traefik', 'contour', 'other'",
    ],
    [
      'an engine of one’s own beside those of a trial',
      'postgres.existingSecret="db"',
      'postgres.existingSecret and devEngines.enabled are both set: choose one of them',
    ],
    [
      'an HTTPRoute of no Gateway',
      'httpRoute.enabled=true',
      'httpRoute.parentRefs is missing: the Gateways to which the HTTPRoute is attached',
    ],
    [
      'backups that nothing keeps',
      'backup.enabled=true',
      'backup.existingClaim is missing: a PersistentVolumeClaim for the backups; or set backup.claim.size, such as 20Gi, to create one',
    ],
    [
      'two claims for backups',
      'backup={"enabled":true,"existingClaim":"a","claim":{"size":"1Gi"}}',
      'backup.existingClaim and backup.claim.size are both set: choose one of them',
    ],
    [
      'a backup to restore and none made',
      'backup.restore="2026-01-31T021500Z"',
      'backup.restore is set, but backup.enabled is false',
    ],
    [
      'streams of a service that has none',
      'services.billing.autoscaling={"streams":10}',
      "'/services/billing/autoscaling': additional properties 'streams' not allowed",
    ],
    // A rule without ports would allow all.
    ['no port of DNS', 'networkPolicy.dnsPorts=[]', "'/networkPolicy/dnsPorts': minItems"],
    ['a schedule that is none', 'backup.schedule="daily"', "'/backup/schedule': 'daily' does not match pattern"],
    ['an Ingress for nobody', 'ingress.enabled=true', 'publicUrl is missing: the Ingress or HTTPRoute uses its host'],
  ])('with %s are refused in words', (_what, set, text) => {
    const { status, stderr } = renderText({ set: [trial, set] })
    expect(status).not.toBe(0)
    expect(stderr).toContain(text)
  })
})

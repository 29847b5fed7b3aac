import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allServices } from '@parley/all-in-one/services'
import { serviceNames } from '@parley/contracts'
import { createIdentityCodec, identityVariables, processSchema } from '@parley/kit'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { helm, podOf, type Resource, render } from '../src/chart.ts'
import { arrowsOf } from '../src/network.ts'
import { chartEntries } from '../src/services.ts'

const entries = chartEntries()
const everything = [
  'monitoring={"serviceMonitor":{"enabled":true},"prometheusRule":{"enabled":true},"dashboards":{"enabled":true}}',
  'httpRoute={"enabled":true,"parentRefs":[{"name":"public"}]}',
  'networkPolicy.metricsFrom=[{"namespaceSelector":{}}]',
  'backup={"enabled":true,"existingClaim":"backups"}',
]
const backups = 'backup={"enabled":true,"claim":{"size":"1Gi"},"restore":"2026-01-31T021500Z"}'
/** Custom resources, which Kubernetes itself does not define. */
const foreign = ['ServiceMonitor', 'PrometheusRule', 'HTTPRoute']

describe.skipIf(helm === undefined)('resources of the chart (needs helm)', () => {
  let trial: readonly Resource[]
  let production: readonly Resource[]
  beforeAll(() => {
    trial = render({ set: ['devEngines.enabled=true', backups], isUpgrade: true })
    production = render({ files: ['values-prod.yaml'], set: everything, isUpgrade: true })
  })
  const deployment = (resources: readonly Resource[], name: string) =>
    resources.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === `parley-${name}`)
  const podsOf = (resources: readonly Resource[]) =>
    resources.flatMap((resource) => {
      const pod = podOf(resource)
      return pod === undefined ? [] : [{ resource, pod }]
    })

  it('are valid for Kubernetes 1.34, without unknown fields', () => {
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../kubernetes-1.34.json'), 'utf8'))
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ajv.addSchema(schema, 'kubernetes')
    const faults = [...trial, ...production].flatMap((resource) => {
      const { apiVersion, kind, metadata } = resource
      if (foreign.includes(kind)) return []
      const path = schema.kinds[`${apiVersion} ${kind}`]
      if (path === undefined) return [`${apiVersion} ${kind} is not known`]
      const check = ajv.getSchema(`kubernetes${path}`)
      if (check?.(resource) === true) return []
      return (check?.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${kind}/${metadata.name}${instancePath} ${message} ${JSON.stringify(params)}`,
      )
    })
    expect(faults).toEqual([])
    expect(trial.length).toBeGreaterThan(50)
  })

  it('tell by the state of a pod why it ended, without its log', () => {
    const ended = [...podsOf(trial), ...podsOf(production)].filter(({ resource: { kind } }) =>
      ['Deployment', 'Job', 'CronJob'].includes(kind),
    )
    for (const { resource, pod } of ended) {
      for (const { terminationMessagePolicy } of [...pod.containers, ...(pod.initContainers ?? [])]) {
        const of = `${resource.kind}/${resource.metadata.name}`
        expect([of, terminationMessagePolicy]).toEqual([of, 'FallbackToLogsOnError'])
      }
    }
    expect(ended.length).toBeGreaterThan(20)
  })

  it('try the claim of backups by a Job that is another one when its pod is', () => {
    const nameOf = (...set: string[]) =>
      render({ files: ['values-prod.yaml'], set: [backups, ...set] }).find(
        ({ kind, metadata: { name } }) => kind === 'Job' && name.includes('-backup-claim-'),
      )?.metadata.name
    expect(nameOf()).toMatch(/^parley-backup-claim-[0-9a-f]{8}$/)
    expect(nameOf()).toBe(nameOf('defaults.replicas=3', 'image.tag="9.9.9"'))
    expect(nameOf()).not.toBe(nameOf('images.postgres="postgres:19"'))
  })

  it('have unique names', () => {
    for (const resources of [trial, production]) {
      const names = resources.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([])
    }
  })

  it('run every pod as non-root, without a service account token, without capabilities and with a read-only file system', () => {
    for (const { resource, pod } of [...podsOf(trial), ...podsOf(production)]) {
      const of = `${resource.kind}/${resource.metadata.name}`
      expect([of, pod.automountServiceAccountToken]).toEqual([of, false])
      expect([of, pod.securityContext]).toMatchObject([
        of,
        { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      ])
      expect(pod.securityContext.runAsUser).toBeGreaterThan(0)
      const isKafka = resource.metadata.name.endsWith('-kafka')
      for (const { securityContext } of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect([of, securityContext]).toEqual([
          of,
          { allowPrivilegeEscalation: false, readOnlyRootFilesystem: !isKafka, capabilities: { drop: ['ALL'] } },
        ])
      }
    }
  })

  it.each(allServices)('set every variable that $name needs, and none that it does not know', (service) => {
    for (const resources of [trial, production]) {
      const env = podOf(deployment(resources, service.name) as Resource)?.containers[0].env ?? []
      const given = env.map(({ name }) => name.replace(/_FILE$/, ''))
      const shape = Object.entries<z.core.$ZodType>(processSchema(service).shape)
      const needed = shape.filter(([, schema]) => !z.safeParse(schema, undefined).success).map(([name]) => name)
      expect(needed.filter((name) => !['PORT', ...given].includes(name))).toEqual([])
      expect(
        given.filter((name) => name !== 'NODE_EXTRA_CA_CERTS' && !shape.some(([known]) => known === name)),
      ).toEqual([])
      const plain = env.filter(
        ({ name, value = '' }) => /:\/\/[^/\s]*:[^/\s]*@|PRIVATE KEY/.test(value) || name === 'ADMIN_PASSWORD',
      )
      expect(plain).toEqual([])
    }
  })

  it.each(serviceNames)('let %s read its own secrets and engine credentials only', (name) => {
    const sources = (resources: readonly Resource[]) =>
      podOf(deployment(resources, name) as Resource)?.volumes.flatMap(({ projected }) => projected?.sources ?? []) ?? []
    expect(sources(trial).every(({ secret }) => secret.name === `parley-${name}`)).toBe(true)
    const others = sources(production).filter(({ secret }) => secret.name !== `parley-${name}`)
    const ofEngines = others.filter(({ secret }) => /^parley-(postgres|mongo|redis|kafka)$/.test(secret.name))
    expect(ofEngines.map(({ secret }) => secret.name).sort()).toEqual(
      (entries[name]?.engines ?? []).map((engine) => `parley-${engine}`).sort(),
    )
    expect(ofEngines.every(({ secret }) => secret.items.every(({ key }) => key === name))).toBe(true)
  })

  it('open the network for the calls and engines of the service definitions only', () => {
    const expected = allServices.flatMap(({ name, calls, engines }) => [
      ...calls.map((callee) => `${name} > ${callee}`),
      ...Object.values(engines).map((engine) => `${name} > ${engine?.kind}`),
    ])
    const extra = [
      'backup > mongo',
      'backup > postgres',
      'edge > gateway',
      'edge > web',
      'llm-router > demo',
      'notifier > inbox',
    ]
    const { allowed, entered, outside } = arrowsOf(trial)
    expect(allowed).toEqual([...expected, ...extra].sort())
    expect(entered).toEqual(['edge'])
    const reaching = allServices.filter(({ reachesOutside }) => reachesOutside === true).map(({ name }) => name)
    expect(outside).toEqual(reaching.sort())
    expect(
      trial.some(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'parley-default-deny'),
    ).toBe(true)
  })

  it('generate keys with which each service signs its identity statements and all others verify them', () => {
    const decode = (name: string, key: string): string => {
      const secret = trial.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === `parley-${name}`)
      return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString()
    }
    const keysOf = (service: (typeof serviceNames)[number]) =>
      createIdentityCodec(
        service,
        z.object(identityVariables).parse({
          IDENTITY_PRIVATE_KEY: decode(service, 'IDENTITY_PRIVATE_KEY'),
          IDENTITY_PUBLIC_KEYS: decode(service, 'IDENTITY_PUBLIC_KEYS'),
        }),
      )
    for (const service of serviceNames) {
      const principal = { kind: 'service', service, network: 'internal' } as const
      const statement = keysOf(service).sign(principal)
      expect(serviceNames.map((other) => keysOf(other).verify(statement))).toEqual(serviceNames.map(() => principal))
      expect(decode(service, 'IDENTITY_PUBLIC_KEYS')).not.toMatch(/"d":|PRIVATE/)
    }
    const seals = [decode('auth', 'AUTH_SECRETS'), decode('chat', 'CHAT_SECRETS')]
    expect(seals.every(({ length }) => length >= 32)).toBe(true)
    expect(seals[0]).not.toBe(seals[1])
  })

  it('give each pod a grace period longer than its service needs, and stop a service before those that it calls', () => {
    for (const service of allServices) {
      const pod = podOf(deployment(production, service.name) as Resource)
      const value = (name: string): number => Number(pod?.containers[0].env.find((one) => one.name === name)?.value)
      // As in the kit's `serve`: the last events of answers, and closing the engines.
      const most = value('DRAIN_DELAY_MS') / 1_000 + value('STOP_GRACE_SECONDS') + 2 + 10
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(most)
      const needed = service.calls.filter((name) => !(service.degradesWithout ?? []).includes(name))
      for (const callee of needed) {
        const later = podOf(deployment(production, callee) as Resource)?.containers[0].env
        expect(Number(later?.find(({ name }) => name === 'DRAIN_DELAY_MS')?.value)).toBeGreaterThan(
          value('DRAIN_DELAY_MS'),
        )
      }
    }
  })

  it('trust only the proxies in front for client addresses', () => {
    const env = (resources: readonly Resource[], name: string, variable: string): string | undefined =>
      podOf(deployment(resources, name) as Resource)?.containers[0].env.find((one) => one.name === variable)?.value
    expect(env(trial, 'edge', 'EDGE_TRUSTED_PROXIES')).toBe('')
    expect(env(production, 'edge', 'EDGE_TRUSTED_PROXIES')).toBe('set_real_ip_from 10.0.0.0/8;')
    const direct = render({ files: ['values-prod.yaml'], set: ['services.edge.enabled=false'] })
    expect(env(direct, 'gateway', 'TRUSTED_PROXIES')).toBe('10.0.0.0/8')
  })

  it('give a backup’s containers the URLs of PostgreSQL and of MongoDB respectively, as the services have them', () => {
    const users = (engine: string): string[] =>
      allServices
        .filter(({ engines }) => Object.values(engines).some((one) => one?.kind === engine))
        .map(({ name }) => name)
        .sort()
    const given = (resources: readonly Resource[], kind: string) => {
      const volumes = podOf(
        resources.find((one) => one.kind === kind && /backup|restore/.test(one.metadata.name)) as Resource,
      )?.volumes
      return (volumes ?? []).flatMap(({ projected }) =>
        projected === undefined
          ? []
          : [
              projected.sources.flatMap(({ secret: { name, items } }) =>
                items.map(({ key, path }) => `${name} ${key} ${path}`),
              ),
            ],
      )
    }
    const own = (engine: string): string[] => users(engine).map((name) => `parley-${engine} ${name} ${name}`)
    expect(given(production, 'CronJob')).toEqual([own('postgres'), own('mongo')])
    const made = (engine: string): string[] =>
      users(engine).map((name) => `parley-${name} ${engine.toUpperCase()}_URL ${name}`)
    expect(given(trial, 'CronJob')).toEqual([made('postgres'), made('mongo')])
    expect(
      given(
        trial.filter(({ metadata }) => metadata.name === 'parley-restore'),
        'Job',
      ),
    ).toEqual(given(trial, 'CronJob'))
  })

  it('route no Service to a pod that migrates a store', () => {
    const jobs = production.filter(({ kind, metadata: { name } }) => kind === 'Job' && name.endsWith('-migrate'))
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      allServices
        .filter(({ engines }) => engines.stores)
        .map(({ name }) => `parley-${name}-migrate`)
        .sort(),
    )
    const services = production
      .filter(({ kind }) => kind === 'Service')
      .map(({ spec }) => spec?.selector as Record<string, string>)
    for (const { spec, metadata } of jobs) {
      expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-upgrade')
      const template = spec?.template as Pick<Resource, 'metadata'>
      const { labels } = template.metadata
      const leading = services.filter((selector) =>
        Object.entries(selector).every(([key, value]) => labels[key] === value),
      )
      expect(leading).toEqual([])
    }
  })

  it('are of built-in kinds only, unless an option adds others', () => {
    const kinds = new Set(render({ set: ['devEngines.enabled=true'] }).map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'NetworkPolicy',
      'Pod',
      'Secret',
      'Service',
      'ServiceAccount',
      'StatefulSet',
    ])
  })
})

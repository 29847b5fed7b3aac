import type { ChartEntry } from './services.ts'

type Schema = Readonly<Record<string, unknown>>

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more })
const flag = (description: string): Schema => ({ type: 'boolean', description })
const count = (description: string, minimum: number, maximum?: number): Schema => ({
  type: 'integer',
  description,
  minimum,
  ...(maximum !== undefined && { maximum }),
})
const list = (description: string, items: Schema = { type: 'string' }): Schema => ({
  type: 'array',
  description,
  items,
})
/** Fields that Kubernetes defines and validates itself. */
const free = (description: string): Schema => ({ type: 'object', description })
const texts = (description: string): Schema => ({ ...free(description), additionalProperties: { type: 'string' } })
const object = (description: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  description,
  additionalProperties: false,
  properties,
})

const networks = list('Networks (CIDR) in which it is reached, for the network policies; empty is any.', {
  type: 'string',
  pattern: '^[0-9a-fA-F.:]+/[0-9]+$',
})
const port = (description: string): Schema => count(description, 1, 65_535)
/** At least one, since a rule of a NetworkPolicy without ports allows all. */
const ports = (description: string): Schema => ({ ...list(description, { type: 'integer' }), minItems: 1 })
const resourceName = (description: string): Schema =>
  text(description, { pattern: '^([a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$' })

const scaling = {
  enabled: flag('Make a HorizontalPodAutoscaler; `replicas` is then not used.'),
  minReplicas: count('Fewest.', 1),
  maxReplicas: count('Most.', 1),
  targetCPU: {
    ...{ type: ['string', 'number'], pattern: '^[0-9.]+m?$' },
    description: 'Processor time per pod that is aimed at, as a quantity of Kubernetes.',
  },
  targetCPUUtilizationPercentage: {
    ...{ type: ['integer', 'null'], minimum: 1, maximum: 1_000 },
    description: 'Of the request, instead of targetCPU.',
  },
  metrics: list('Further metrics, as in autoscaling/v2, such as open streams.', { type: 'object' }),
}
/** For a Deployment with a metric of open streams or sockets. */
const scalingByStreams = object('Replicas by load.', {
  ...scaling,
  streams: {
    ...{ type: ['integer', 'null'], minimum: 1 },
    description: 'Streams or sockets that a pod is meant to hold open, where the cluster has the custom metrics API.',
  },
})

/** Values of every Deployment. */
const common = {
  replicas: count('Pods, without autoscaling.', 0),
  resources: free('Requests and limits.'),
  autoscaling: object('Replicas by load.', scaling),
  podAnnotations: texts('Annotations of its pods.'),
  podLabels: texts('Labels of its pods.'),
  priorityClassName: text('PriorityClass of its pods.'),
  nodeSelector: texts('Labels of nodes.'),
  tolerations: list('Taints that its pods bear.', { type: 'object' }),
  affinity: free('Affinity of its pods.'),
  topologySpreadConstraints: {
    type: ['array', 'null'],
    description: 'Instead of spreading over nodes and zones.',
    items: { type: 'object' },
  },
}

const reference = {
  ...object('A key of a Secret of yours.', {
    name: resourceName('Of the Secret.'),
    key: text('In the Secret.', { minLength: 1 }),
  }),
  required: ['name', 'key'],
}
const refer = (definition: string): Schema => ({ $ref: `#/$defs/${definition}` })
/** References, because these values are the same for every Deployment. */
const referred = Object.fromEntries(Object.keys(common).map((name) => [name, refer(name)]))

function ofEntry(name: string, { settings, secrets, openMetric }: ChartEntry): Schema {
  const optional: Record<string, Schema> =
    name === 'edge'
      ? {
          enabled: flag('Have an nginx between the Ingress and the services.'),
          service: object('Its Service.', {
            type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
            nodePort: { type: ['integer', 'null'], minimum: 1, maximum: 65_535 },
            annotations: texts('Such as those of a load balancer.'),
          }),
        }
      : name === 'demo' || name === 'inbox'
        ? { enabled: { enum: [true, false, 'auto'], description: '`auto` is with `devEngines`.' } }
        : {}
  return object(`Deployment ${name}.`, {
    ...optional,
    ...referred,
    ...(openMetric !== undefined && { autoscaling: refer('scalingByStreams') }),
    ...(settings.length > 0 && {
      env: object('Variables.', {
        ...Object.fromEntries(settings.map((variable) => [variable, { type: 'string' }])),
        // Refused by the templates, which say where it belongs.
        ...Object.fromEntries(secrets.map((variable) => [variable, { description: 'A secret: see `secretEnv`.' }])),
      }),
    }),
    ...(secrets.length > 0 && {
      secretEnv: object(
        'Variables out of Secrets of yours.',
        Object.fromEntries(secrets.map((variable) => [variable, refer('reference')])),
      ),
    }),
  })
}

const engine = (keys: string) => ({
  existingSecret: resourceName(`Secret of yours with ${keys} of each service under the service's name.`),
  networks,
  port: port('Where it listens, for the network policies.'),
})
const monitored = (description: string): Schema =>
  object(description, { enabled: flag('Make it.'), labels: texts('By which it is found.') })

const backup = object('Dumps of PostgreSQL and MongoDB.', {
  enabled: flag('Make the CronJob.'),
  schedule: text('As of cron.', { pattern: '^(@[a-z]+|\\S+( \\S+){4})$' }),
  timeZone: text('A name of the IANA database.', { minLength: 1 }),
  keep: count('Backups that are kept.', 1),
  existingClaim: resourceName('PersistentVolumeClaim of yours for the backups.'),
  claim: object('Of the claim that is made without one of yours.', {
    size: text('Of its volume.', { pattern: '^([0-9]+(Mi|Gi|Ti))?$' }),
    storageClass: text('The default class unless given.'),
  }),
  images: object('Instead of those of `images`.', {
    postgres: text('With bash and pg_dump.'),
    mongo: text('With bash and mongodump.'),
  }),
  deadlineSeconds: count('Longest time of one.', 1),
  alertAfterHours: count('Hours without a new backup before an alert.', 1),
  resources: free('Requests and limits of each of the two containers.'),
  restore: text('Name of the backup that templates/restore.yaml puts back.', {
    pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z)?$',
  }),
})

/** The JSON schema of the chart's values. */
export const valuesSchema = (entries: Readonly<Record<string, ChartEntry>>): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Values of Parley',
  $defs: { ...common, reference, scalingByStreams },
  ...object('See values.yaml.', {
    global: free("Helm's own."),
    nameOverride: text('Instead of the chart’s name.'),
    fullnameOverride: text('Instead of the names made of release and chart.', { maxLength: 40 }),
    publicUrl: text('Where people reach it.', { pattern: '^(https?://[^/\\s?#@]+)?$' }),
    extraOrigins: list('Further origins.', { type: 'string', pattern: '^https?://[^/\\s?#@]+$' }),
    trustedProxies: list('Networks whose X-Forwarded-For is believed.', {
      type: 'string',
      pattern: '^[0-9a-fA-F.:]+(/[0-9]+)?$',
    }),
    image: object('Of Parley.', {
      registry: text('Host of the registry.'),
      repository: text('Before the name of the service.'),
      tag: text('The chart’s appVersion unless given.'),
      pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      pullSecrets: list('Names of Secrets.'),
    }),
    images: object('Of others.', {
      nginx: text('Unprivileged.'),
      postgres: text('For devEngines and backups.'),
      mongo: text('For devEngines and backups.'),
      redis: text('For devEngines.'),
      kafka: text('For devEngines.'),
    }),
    env: texts('Variables of every service that knows them.'),
    ipv6: flag('Listen on IPv6, too.'),
    stopGraceSeconds: count('Time of running answers when a pod ends.', 0, 3_600),
    drainSeconds: count(
      'Time for which a pod that ends still takes connections, least of all stages; Kubernetes accepts no sleep of 0.',
      1,
      50,
    ),
    secrets: object('Keys by which services know each other, and what they seal with.', {
      existing: text('Prefix of Secrets of yours, one for each service.', { pattern: '^[a-z0-9.-]*$' }),
    }),
    postgres: object('PostgreSQL.', engine('the URL')),
    mongo: object('MongoDB.', engine('the URL')),
    redis: object('Redis or Valkey.', engine('the URL')),
    kafka: object('Kafka.', {
      ...engine('the password'),
      brokers: text('host:port, with commas between.', { pattern: '^([^\\s:,]+:[0-9]+(,[^\\s:,]+:[0-9]+)*)?$' }),
      tls: flag('Speak TLS to the brokers.'),
      partitions: count('Of topics that are made.', 1),
      replication: count('Of topics that are made.', 1),
    }),
    certificateAuthorities: object('Further authorities that are believed, as PEM.', {
      configMap: text('Name of a ConfigMap of yours.'),
      key: text('In it.', { minLength: 1 }),
    }),
    devEngines: object('Small engines in the cluster, for a trial.', {
      enabled: flag('Make them.'),
      storage: text('Of each volume.', { pattern: '^[0-9]+(Mi|Gi)$' }),
      storageClass: text('The default class unless given.'),
    }),
    defaults: object('Of every Deployment.', referred),
    services: object(
      'Each Deployment.',
      Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, ofEntry(name, entry)])),
    ),
    migrations: object('Of the stores, before an upgrade.', {
      enabled: flag('Make the jobs.'),
      deadlineSeconds: count('Longest time of one.', 1),
    }),
    backup,
    networkPolicy: object('Who may reach whom.', {
      enabled: flag('Refuse everything but what the architecture needs.'),
      ingressFrom: list('Who may reach the entrance, as peers of a NetworkPolicy; empty is anybody.', {
        type: 'object',
      }),
      metricsFrom: list('Who may ask for metrics, as peers of a NetworkPolicy.', { type: 'object' }),
      dnsPorts: ports('Of DNS.'),
      outsidePorts: ports('Ports outside that services may reach that call others.'),
      outsideExcept: list('Private networks that they may not.'),
      extraEgress: {
        ...free('Further rules of egress by the name of the Deployment.'),
        propertyNames: { enum: Object.keys(entries) },
        additionalProperties: { type: 'array', items: { type: 'object' } },
      },
    }),
    ingress: object('By an Ingress.', {
      enabled: flag('Make one.'),
      className: text('IngressClass.'),
      controller: { enum: ['nginx', 'traefik', 'contour', 'other'], description: 'Whose annotations are set.' },
      annotations: texts('Further ones.'),
      tlsSecret: text('Name of the Secret with the certificate.'),
    }),
    httpRoute: object('By a Gateway.', {
      enabled: flag('Make an HTTPRoute.'),
      parentRefs: list('The Gateways.', { type: 'object', required: ['name'] }),
      annotations: texts('Of the HTTPRoute.'),
    }),
    monitoring: object('Prometheus and Grafana.', {
      serviceMonitor: object('For the Prometheus operator.', {
        enabled: flag('Make it.'),
        labels: texts('By which it is found.'),
        interval: text('Between two looks.', { pattern: '^[0-9]+(ms|s|m)$' }),
      }),
      prometheusRule: object('Alerts for the Prometheus operator.', {
        enabled: flag('Make them.'),
        labels: texts('By which they are found.'),
        runbooks: text('Address of the folder of the runbooks, which begins the link of each alert.'),
      }),
      dashboards: monitored('Dashboards as ConfigMaps.'),
    }),
  }),
})

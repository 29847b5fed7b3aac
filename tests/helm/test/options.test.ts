import { beforeAll, describe, expect, it } from 'vitest'
import { helm, type Resource, render } from '../src/chart.ts'
import { difference, linesOf } from '../src/difference.ts'

/** Each option, compared with the values for production. */
const options: Readonly<Record<string, readonly string[]>> = {
  'secrets-of-ones-own': ['secrets.existing="mine-"'],
  'certificate-authorities': ['certificateAuthorities.configMap="authorities"'],
  'engines-in-networks': ['postgres.networks=["10.1.0.0/16"]', 'mongo.networks=["10.2.0.0/16"]'],
  'without-edge': ['services.edge.enabled=false'],
  'without-autoscaling': ['defaults.autoscaling.enabled=false'],
  'autoscaling-by-streams': [
    'services.gateway.autoscaling.streams=500',
    'services.chat.autoscaling.streams=200',
    'services.realtime.autoscaling={"enabled":true,"streams":4000}',
    'services.billing.autoscaling.metrics=[{"type":"Pods","pods":{"metric":{"name":"a_metric_of_yours"},"target":{"type":"AverageValue","averageValue":"20"}}}]',
  ],
  'network-policies-narrow': [
    'networkPolicy.ingressFrom=[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"ingress"}}}]',
    'networkPolicy.metricsFrom=[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"observability"}}}]',
    'networkPolicy.extraEgress={"llm-router":[{"to":[{"ipBlock":{"cidr":"10.9.9.9/32"}}],"ports":[{"port":11434}]}]}',
  ],
  'network-policies-off': ['networkPolicy.enabled=false'],
  'ingress-traefik': ['ingress.controller="traefik"'],
  'ingress-contour': ['ingress.controller="contour"'],
  'http-route': [
    'ingress.enabled=false',
    'ingress.tlsSecret=""',
    'httpRoute={"enabled":true,"parentRefs":[{"name":"public","namespace":"gateways"}]}',
  ],
  'private-registry': ['image={"registry":"registry.example.org","tag":"1.2.3","pullSecrets":["registry"]}'],
  placement: [
    'defaults.priorityClassName="important"',
    'defaults.nodeSelector={"pool":"chat"}',
    'services.web.topologySpreadConstraints=[]',
    'services.auth.podLabels={"team":"identity"}',
  ],
  'load-balancer': ['services.edge.service={"type":"LoadBalancer","annotations":{"a.b/c":"d"}}'],
  variables: ['env={"LOG_LEVEL":"debug"}', 'services.auth.env={"ADMIN_USERNAME":"root"}'],
  'demo-and-inbox': ['services.demo.enabled=true', 'services.inbox.enabled=true'],
  backups: ['backup={"enabled":true,"existingClaim":"backups","alertAfterHours":50}'],
  'backups-on-a-claim-of-the-chart': ['backup={"enabled":true,"claim":{"size":"20Gi"},"restore":"2026-01-31T021500Z"}'],
  ipv6: ['ipv6=true', 'networkPolicy.outsideExcept=["10.0.0.0/8","2001:db8::/32"]'],
  'autoscaling-by-share-of-the-request': ['services.billing.autoscaling.targetCPUUtilizationPercentage=80'],
  'migrations-off': ['migrations.enabled=false'],
}

describe.skipIf(helm === undefined)('options of the chart (needs helm)', () => {
  let base: readonly Resource[]
  const production = (set: readonly string[] = []): readonly Resource[] =>
    render({ files: ['values-prod.yaml'], set, isUpgrade: true })
  beforeAll(() => {
    base = production()
  })

  it('match the golden file for chat, the edge and the ingress by default', async () => {
    const shown = base.filter(
      ({ metadata: { name }, kind }) => /-(chat|edge)$/.test(name.replace(/-dashboard-.*/, '')) || kind === 'Ingress',
    )
    await expect(`${linesOf(shown).join('\n')}\n`).toMatchFileSnapshot('../golden/production.txt')
  })

  it.each(Object.entries(options))('%s changes exactly what its golden file shows', async (name, set) => {
    await expect(difference(base, production(set))).toMatchFileSnapshot(`../golden/${name}.txt`)
  })
})

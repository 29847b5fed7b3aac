import { allServices } from '@parley/all-in-one/services'
import { afterEach, describe, expect, it } from 'vitest'
import { helm, type Rendering, renderOn } from '../src/chart.ts'
import { type Cluster, startCluster } from '../src/cluster.ts'
import { chartEntries } from '../src/services.ts'

const stored = allServices.flatMap(({ name, engines }) => (engines.stores ? [name] : [])).sort()
const deployed = Object.keys(chartEntries())
const without = <T>(list: readonly T[], left: T): readonly T[] => list.filter((name) => name !== left)

describe.skipIf(helm === undefined)('an upgrade of the chart in a cluster (needs helm)', () => {
  let cluster: Cluster | undefined
  afterEach(() => cluster?.close())

  /** Services that are migrated before an upgrade of a release with these Deployments. */
  async function migratedWith(deployments: readonly string[], rendering: Rendering): Promise<string[]> {
    cluster = await startCluster(['ServiceAccount/parley', ...deployments.map((name) => `Deployment/parley-${name}`)])
    const resources = await renderOn(cluster, { ...rendering, isUpgrade: true })
    const jobs = resources.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-upgrade')
    return jobs.map(({ metadata }) => metadata.name.replace(/^parley-(.+)-migrate$/, '$1')).sort()
  }

  describe.each<[string, Rendering]>([
    ['engines of one’s own', { files: ['values-prod.yaml'] }],
    ['secrets of one’s own', { files: ['values-prod.yaml'], set: ['secrets.existing="mine-"'] }],
    ['trial engines', { set: ['devEngines.enabled=true'] }],
  ])('with %s', (_what, rendering) => {
    it('migrates the store of every installed service', async () => {
      expect(await migratedWith(deployed, rendering)).toEqual(stored)
    })

    it('migrates no store of a new service, whose Secret and network policy are created after the hooks', async () => {
      expect(await migratedWith(without(deployed, 'memory'), rendering)).toEqual(without(stored, 'memory'))
    })
  })
})

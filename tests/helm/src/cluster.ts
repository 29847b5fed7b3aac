import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A stand-in for a cluster's API: it has these objects, `<Kind>/<name>`, in every namespace, and no others. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** What `lookup` can ask for, by the path of the API's list of its resources. */
const groups = {
  '/api/v1': { groupVersion: 'v1', kinds: { secrets: 'Secret', serviceaccounts: 'ServiceAccount' } },
  '/apis/apps/v1': { groupVersion: 'apps/v1', kinds: { deployments: 'Deployment' } },
} as const

/** Serves the requests of `lookup` on a free port. */
export async function startCluster(objects: readonly string[]) {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const { pathname } = new URL(request.url ?? '', 'http://cluster')
    for (const [path, { groupVersion, kinds }] of Object.entries(groups)) {
      if (pathname === path) return answer(200, resourceList(groupVersion, kinds))
      const [, plural = '', name] = new RegExp(`^${path}/namespaces/[^/]+/([^/]+)/([^/]+)$`).exec(pathname) ?? []
      const kind = (kinds as Readonly<Record<string, string>>)[plural]
      if (objects.includes(`${kind}/${name}`))
        return answer(200, { apiVersion: groupVersion, kind, metadata: { name } })
    }
    answer(404, { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    /** For `helm --kube-apiserver`. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: (): Promise<void> => new Promise((resolve) => server.close(() => resolve())),
  }
}

const resourceList = (groupVersion: string, kinds: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'APIResourceList',
  groupVersion,
  resources: Object.entries(kinds).map(([name, kind]) => ({ name, kind, namespaced: true, verbs: ['get'] })),
})

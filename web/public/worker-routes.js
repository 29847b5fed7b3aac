// A part of the service worker. Requests that it never answers go to the server directly, so that they do not wait for an idle worker to start.
addEventListener('install', (event) => {
  const paths = ['/api/*', '/s/*', '/socket.io/*', '/healthz', '/readyz']
  const condition = { or: paths.map((pathname) => ({ urlPattern: { pathname } })) }
  // Not every browser has static routes; there the worker leaves these requests to the network.
  event.waitUntil(Promise.resolve(event.addRoutes?.({ condition, source: 'network' })).catch(() => undefined))
})

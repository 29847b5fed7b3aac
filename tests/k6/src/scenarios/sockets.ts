import { check } from 'k6'
import { Trend } from 'k6/metrics'
import ws from 'k6/ws'
import { me, optionsWith, prepared, tokenOf } from '../scenario.ts'

export { handleSummary } from '../summary.ts'

/** Milliseconds from opening a connection to its acceptance. */
const signIn = new Trend('socket_sign_in', true)
export const options = optionsWith({ socket_sign_in: ['p(95)<2000'] })

const url = `${prepared.url.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`
const namespace = '/realtime'
/** Milliseconds that a tab stays open. */
const openMs = 10_000

/** Keeps a tab's socket open and answers the server's pings: Socket.IO protocol 5 over Engine.IO 4. */
export function run(): void {
  const token = tokenOf(me())
  const began = Date.now()
  let isAccepted = false
  let isOver = false
  ws.connect(url, null, (socket) => {
    socket.on('message', (packet) => {
      if (packet.startsWith('0')) socket.send(`40${namespace},${JSON.stringify({ token })}`)
      else if (packet === '2') socket.send('3')
      else if (packet.startsWith('40')) {
        isAccepted = true
        signIn.add(Date.now() - began)
        socket.setTimeout(() => {
          isOver = true
          socket.close()
        }, openMs)
      } else if (/^4[14]/.test(packet)) {
        console.warn(`a socket was refused: ${packet.slice(0, 200)}`)
        socket.close()
      }
    })
    socket.on('error', (error) => console.warn(`a socket failed: ${error.error()}`))
  })
  check(isAccepted, { 'a socket is accepted': (it) => it })
  check(isOver, { 'a socket stays open': (it) => it })
}

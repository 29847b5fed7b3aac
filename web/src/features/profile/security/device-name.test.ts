import { expect, it } from 'vitest'
import { deviceOf } from './device-name.ts'

const mozilla = (system: string, rest: string) => `Mozilla/5.0 (${system}) ${rest}`
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [mozilla('X11; Linux x86_64', `${webkit} Chrome/141.0.0.0 Safari/537.36`), 'Chrome', 'Linux'],
  [mozilla('X11; Linux x86_64', `${webkit} HeadlessChrome/141.0.0.0 Safari/537.36`), 'Chrome', 'Linux'],
  [mozilla('Windows NT 10.0; Win64; x64', `${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`), 'Edge', 'Windows'],
  [mozilla('Windows NT 10.0; Win64; x64', `${webkit} Chrome/141.0.0.0 Safari/537.36 OPR/120.0`), 'Opera', 'Windows'],
  [
    mozilla(
      'Macintosh; Intel Mac OS X 10_15_7',
      'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    ),
    'Safari',
    'macOS',
  ],
  [mozilla('Macintosh; Intel Mac OS X 10.15; rv:140.0', 'Gecko/20100101 Firefox/140.0'), 'Firefox', 'macOS'],
  [mozilla('X11; CrOS x86_64 14541.0.0', `${webkit} Chrome/141.0.0.0 Safari/537.36`), 'Chrome', 'ChromeOS'],
])('a computer is named in %s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, handheld: false })
})

it.each([
  [
    mozilla(
      'iPhone; CPU iPhone OS 18_1 like Mac OS X',
      'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    ),
    'Safari',
    'iPhone',
  ],
  [
    mozilla(
      'iPhone; CPU iPhone OS 18_1 like Mac OS X',
      'AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
    ),
    'Chrome',
    'iPhone',
  ],
  [
    mozilla('Linux; Android 15; SM-S921B', `${webkit} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`),
    'Samsung Internet',
    'Android',
  ],
  [mozilla('Android 15; Mobile; rv:140.0', 'Gecko/140.0 Firefox/140.0'), 'Firefox', 'Android'],
])('a phone or tablet is named in %s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, handheld: true })
})

it.each(['', 'my own client', '<script>'])('an unknown device is not named: %j', (userAgent) => {
  expect(deviceOf(userAgent)).toEqual({ browser: null, system: null, handheld: false })
})

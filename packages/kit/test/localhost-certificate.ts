import { createPrivateKey } from 'node:crypto'

/** Of `localhost`, in no use, and valid in the winter of 2026: a certificate is read whether it has ended or not. */
export const key = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgckiYUxjH1Q/hGvYVLmeUuA0Hp4wa7lLpbzrDwN1J/HehRANCAARiZUY9MZ6FQo434klxTl5uGnhfnH1q1ol9LEZsP+qPpaSWWrJWmBN+wiBNqRcWCEPYvVVKHKEZD6rDFP/KQBXk',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
}).export({ format: 'pem', type: 'pkcs8' })
/** Self-signed. */
export const cert = `-----BEGIN CERTIFICATE-----
MIIBfDCCASOgAwIBAgIUepgLB6N+tSPUHwSo+pWt4foaPVwwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyNjEzMzY1OFoXDTI3MDIyNDEz
MzY1OFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYmVGPTGehUKON+JJcU5ebhp4X5x9ataJfSxGbD/qj6WkllqyVpgTfsIg
TakXFghD2L1VShyhGQ+qwxT/ykAV5KNTMFEwHQYDVR0OBBYEFJZydFQh7MBXLD6bBN9MFJL6/yeKMB8GA1UdIwQYMBaAFJZydFQh7MBXLD6bBN9MFJL6/yeKMA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgLJJYavoN8vUg2hTAiEcLYN+Ki+BJkwVP8tIkBzQ0avICIGepz4jeJOvU+2dfrs2vlk+iveEBvzj0dSI5A0dQVpac
-----END CERTIFICATE-----`
export const dates = { startsAt: '2026-11-26T13:36:58.000Z', endsAt: '2027-02-24T13:36:58.000Z' }

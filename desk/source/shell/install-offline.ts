import { serviceWorkerUrl } from '../components/trusted.ts'

/**
 * From now on the desk opens without a network. Browsers allow it on secure origins only; elsewhere, and in development,
 * whose files change all the time, nothing is installed.
 */
export async function installOffline(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Refused in some private windows and by settings: the desk works without.
  await navigator.serviceWorker.register(serviceWorkerUrl(), { scope: '/desk' }).catch(() => undefined)
}

import { AppError } from '@shared/contract/errors'
import type { HostAndPort } from '@shared/contract/machineName'
import type { ProbeAnswer } from '../driver'
import { UltimateApi } from './api'
import { DMA_PORT, DmaService } from './dmaService'
import { RestClient } from './rest'

const WEB_SERVICE_OFF =
  'Its web remote control is off. Enable it in the Ultimate’s menu under Network Settings > Web Remote Control Service.'

/** Where HTTP is refused, the DMA service reveals an Ultimate whose web service is off. */
export async function probeUltimate(
  address: HostAndPort,
  signal: AbortSignal,
  dmaPort = DMA_PORT,
): Promise<ProbeAnswer> {
  try {
    const { hostname, product, firmware } = await new UltimateApi(new RestClient(address, null)).identify(signal)
    return { title: hostname, about: `${product}, firmware ${firmware}` }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'FORBIDDEN') return { title: null, about: 'Ultimate', asksForPassword: true }
    if (error.code !== 'UNREACHABLE') throw error
    const product = await new DmaService({ host: address.host, port: dmaPort }, null).burst([], signal)
    return { title: null, about: product, limit: WEB_SERVICE_OFF }
  }
}

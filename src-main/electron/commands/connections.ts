import type { MainAreaHandlers, MainServices } from './services'

export const createConnectionHandlers = ({
  secrets,
}: Pick<MainServices, 'secrets'>): MainAreaHandlers<'connections'> => ({
  'connections.authenticate': ({ machine, password, remember }, signal) =>
    secrets.authenticate(machine, password, remember, signal),
  'connections.forget': async ({ machine }, signal) => {
    await secrets.forget(machine, signal)
    return {}
  },
  'connections.forgetPassword': async ({ machine }, signal) => {
    await secrets.forgetPassword(machine, signal)
    return {}
  },
  'connections.secretStore': async () => ({ limit: await secrets.limit() }),
})

import type { Connections } from '@shared/contract/connections'

export const connectionRows = ({ profiles, network, serial, configured }: Connections): string[][] => [
  ...profiles.map(({ machine, title }) => [machine, 'saved', title]),
  ...network.found.map(({ machine, title, about }) => [machine, 'network', `${title}, ${about}`]),
  ...serial.ports.flatMap(({ machines, device, board, product }) =>
    machines.slice(0, 1).map((machine) => [machine, 'serial', board ?? product ?? device]),
  ),
  ...configured.machines.map(({ machine, title, source }) => [machine, source, title]),
]

export const connectionProblems = ({ network, serial, configured }: Connections): string[] => [
  ...(network.problem === null ? [] : [network.problem]),
  ...(serial.problem === null ? [] : [serial.problem]),
  ...configured.problems,
]

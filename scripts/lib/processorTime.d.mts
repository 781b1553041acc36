export function processorSeconds(options: { isAlone: boolean }): number
export function endedChildrenSeconds(): number
export function busySeconds(): number | undefined

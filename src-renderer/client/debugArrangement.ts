import { createContext } from 'react'

/** Whether a view stands in the machine's Debug arrangement, where the code view shows the CPU. */
export const InDebugArrangement = createContext(false)

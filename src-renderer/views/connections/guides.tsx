import type { ReactNode } from 'react'
import type { MachineKind } from '@shared/contract/machineKinds'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { notifySaved } from '../../client/savedFile'
import { Button } from '../../widgets/Button'
import './shared.css'

interface Guide {
  readonly title: string
  readonly about: string
  readonly steps: readonly ReactNode[]
  readonly notes: readonly ReactNode[]
}

const Name = ({ children }: { readonly children: string }) => <span className="data">{children}</span>
const Menu = ({ children }: { readonly children: string }) => <em>{children}</em>

const StubButton = () => (
  <Button
    label="Save stub.prg…"
    onClick={() => attempt(async () => notifySaved((await call('program.saveStub', {})).saved))}
  />
)

export const guides: Readonly<Record<MachineKind, Guide>> = {
  ultimate: {
    title: 'Ultimate 64, C64 Ultimate, Ultimate-II',
    about: 'A whole C64 in an FPGA, or the cartridge in the C64 that you have. Both are reached over the network.',
    steps: [
      <>
        Connect it to your network: a cable, or Wi-Fi where it has that. The live picture, sound and bus come by cable
        only.
      </>,
      <>
        Open its menu: press the power button of an Ultimate 64 briefly, or the middle button of the cartridge. Press{' '}
        <kbd>F2</kbd> for the settings.
      </>,
      <>
        Under <Menu>Network Settings</Menu> enable <Menu>Web Remote Control Service</Menu> (all that Bridgedeck does),{' '}
        <Menu>Ultimate DMA Service</Menu> (starts disks at once) and <Menu>Ultimate Ident Service</Menu> (so that it is
        found).
      </>,
      <>
        In the same place set a <Menu>Network Password</Menu> if others share your network: without one, everybody in it
        can use the machine.
      </>,
      <>
        Leave the menu and save the settings. Then press “Search the network” above, or type <Name>ultimate:c64u</Name>{' '}
        with the machine’s host name or address.
      </>,
    ],
    notes: [
      <>
        Firmware 3.11 or later is needed; 3.12 for a password and the menu button, 3.15 on an Ultimate 64 for held keys
        and joysticks.
      </>,
      <>
        Reading memory stops the CPU for a moment. Bridgedeck keeps to a share of its time, which Settings has, and
        shows it.
      </>,
      <>
        What is read is what the CPU sees: RAM under ROM and I/O is out of reach, and the two bytes at $0000 read as 0.
      </>,
      <>
        The Ultimate-II cartridges have no streams, and cannot switch the C64 off; what yours lacks is said where it is
        missing.
      </>,
    ],
  },
  teensyrom: {
    title: 'TeensyROM+',
    about: 'A cartridge that starts programs and, as TeensyROM+, reads and writes the C64’s memory while it runs.',
    steps: [
      <>With the C64 switched off, put the cartridge into the expansion port, then switch on: its menu shows.</>,
      <>
        By USB: connect the Teensy’s own USB socket to this computer. The board shows under “Serial ports”; choose it
        and connect.
      </>,
      <>
        By network: connect its Ethernet socket, and switch <Menu>Enable TCP Listener</Menu> on in its settings menu.
        Then type <Name>teensyrom:10.0.0.20</Name> with the address that its menu shows; the port is 2112.
      </>,
    ],
    notes: [
      <>
        Memory needs a TeensyROM+ (board 0.4) with firmware 0.7.2.5 or later. Older boards list files, start programs
        and reset.
      </>,
      <>
        With firmware before 0.8, reading memory while a program has the screen switched off ($D011 bit 4) can hang the
        C64 until it is switched off and on: stop sampling for such programs.
      </>,
      <>
        While a program runs it is busy and takes no files: running another one resets the C64 first, and folders are
        listed in its menu only.
      </>,
    ],
  },
  easyflash: {
    title: 'EasyFlash 3, Kung Fu Flash',
    about: 'Cartridges that take a program over USB and start it. They show nothing of the running C64.',
    steps: [
      <>
        With the C64 switched off, put the cartridge into the expansion port, then switch on and leave its menu showing.
      </>,
      <>
        Connect the cartridge’s USB socket to this computer. A Kung Fu Flash is recognised under “Serial ports”; an
        EasyFlash 3 shows as the FTDI chip that it has, which may need FTDI’s driver.
      </>,
      <>
        Choose the port and connect, or type <Name>easyflash:/dev/ttyACM0</Name> (on Windows <Name>easyflash:COM3</Name>
        ). Then load a PRG, or a CRT, which an EasyFlash 3 writes into its flash memory.
      </>,
    ],
    notes: [
      <>Its protocol has no way to read memory: the views stay empty, and say so.</>,
      <>The handshake works while the cartridge’s own menu shows; press its menu button when nothing happens.</>,
    ],
  },
  stub: {
    title: 'SwiftLink, Turbo232',
    about:
      'A serial cartridge and a small program of ours that stays in the C64’s memory: it reads, writes and shows the registers.',
    steps: [
      <>
        With the C64 switched off, put the cartridge into the expansion port, with its address at $DE00 and its
        interrupt at NMI.
      </>,
      <>
        Connect it to this computer’s serial port or USB adapter by a null-modem cable. At the C64’s end DCD, DSR and
        CTS must be set, as a full null-modem cable does; one with three wires needs them tied to DTR and RTS.
      </>,
      <>
        <StubButton /> and bring it to the C64, on a disk or SD card. There: <Name>LOAD "STUB",8</Name> (its name on
        your disk), then <Name>RUN</Name>.
      </>,
      <>
        Choose the port under “Serial ports” and connect, or type <Name>stub:/dev/ttyUSB0</Name> (on Windows{' '}
        <Name>stub:COM3</Name>): 38,400 baud.
      </>,
      <>
        A Turbo232 can be faster: on the C64 <Name>SYS 50185</Name>, then here <Name>stub:/dev/ttyUSB0@230400</Name>. (
        <Name>SYS 50182</Name> is 115,200 and <Name>SYS 50179</Name> 57,600 baud.)
      </>,
    ],
    notes: [
      <>Each byte on the line costs the C64 some of its time; what that is stands in the status bar.</>,
      <>
        The stub stays at $C400 to $CFFF. A program that takes over the NMI, or overwrites the stub, ends the
        connection: reset and run the stub again.
      </>,
      <>
        A TCP port that stands for the line, as of a serial server, is named <Name>stub:HOST:PORT</Name>.
      </>,
    ],
  },
  vice: {
    title: 'VICE',
    about:
      'The emulator on this computer or another one, through its binary monitor: memory, registers, checkpoints, picture, keys.',
    steps: [
      <>
        The short way: choose <Name>vice</Name> and connect. Bridgedeck starts a VICE of its own, and ends it with the
        app.
      </>,
      <>
        For a VICE that you start: give it <Name>-binarymonitor</Name>, or switch the binary monitor on in its settings
        under Monitor. Then connect <Name>vice:6502</Name>.
      </>,
      <>
        On another computer, let it listen there: <Name>-binarymonitoraddress ip4://0.0.0.0:6502</Name>. Then connect{' '}
        <Name>vice:studio:6502</Name> with that computer’s name.
      </>,
    ],
    notes: [
      <>VICE talks to one client at a time: close other tools that hold its monitor.</>,
      <>The monitor has no password. Let it listen to other computers only in a network that you trust.</>,
      <>Versions 3.5 to 3.10 work; below 3.9 each look can disturb the running program a little.</>,
    ],
  },
  builtin: {
    title: 'Built-in C64',
    about: 'The C64 inside Bridgedeck. Nothing has to be plugged in, and nothing can break.',
    steps: [
      <>
        Choose <Name>builtin</Name> and connect; it is connected when Bridgedeck starts.
      </>,
      <>Drop a PRG on the window, or type into the screen. Settings takes ROM files of yours, for BASIC.</>,
    ],
    notes: [<>It makes no sound and has no disk drive; its VIC-II draws line by line.</>],
  },
}

export const guideOrder = [
  'ultimate',
  'teensyrom',
  'easyflash',
  'stub',
  'vice',
  'builtin',
] as const satisfies readonly MachineKind[]

export function GuideText({ kind }: { readonly kind: MachineKind }) {
  const { title, about, steps, notes } = guides[kind]
  return (
    <section className="guide" aria-label={`How to connect: ${title}`}>
      <h3>How to connect: {title}</h3>
      <p className="muted">{about}</p>
      <ol>
        {steps.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
      <h4>Good to know</h4>
      <ul>
        {notes.map((note, index) => (
          <li key={index}>{note}</li>
        ))}
      </ul>
    </section>
  )
}

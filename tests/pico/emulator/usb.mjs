// The host's end of the USB serial line.  Unlike the one that comes with rp2040js it sends nothing
// while there is nothing to send, as a host does, sets and clears DTR, and can stop to take data.
import {
  createSetupPacket, DataDirection, DescriptorType, getDescriptorPacket, setDeviceAddressPacket,
  setDeviceConfigurationPacket, SetupRecipient, SetupType,
} from 'rp2040js';

const PACKET_US = 50; // 64 bytes at 12 Mbit/s
const SET_CONTROL_LINE_STATE = 0x22;
const CLASS_DATA = 10;
const INTERFACE = 4;
const ENDPOINT = 5;
const BULK = 2;
const IN = 0x80;

export class UsbHost {
  constructor(usb, onData) {
    this.usb = usb;
    this.onData = onData;
    this.toSend = [];
    this.room = 0; // bytes that the chip waits for
    this.stalled = false;
    this.held = [];
    this.descriptors = [];
    this.size = 0;
    this.ready = false;
    this.busy = false; // with a control transfer; there is one at a time
    this.lines = 3; // DTR and RTS, as pyserial sets them
    this.told = -1;
    usb.onUSBEnabled = () => usb.resetDevice();
    usb.onResetReceived = () => usb.sendSetupPacket(setDeviceAddressPacket(1));
    usb.onEndpointWrite = (endpoint, data) => this.receive(endpoint, data);
    usb.onEndpointRead = (endpoint, size) => {
      if (endpoint === this.out) {
        this.room = size;
        this.pump();
      }
    };
    this.indicate = usb.indicateBufferReady.bind(usb);
    usb.indicateBufferReady = (endpoint, out) => {
      if (this.stalled && !out && endpoint === this.in) this.held.push(endpoint);
      else this.indicate(endpoint, out);
    };
  }

  receive(endpoint, data) {
    if (endpoint === this.in) this.onData(data);
    else if (endpoint === 0 && data.length === 0) this.acknowledged();
    else if (endpoint === 0 && !this.ready) this.described(data);
  }

  acknowledged() {
    if (!this.size) this.ask(9); // only the head, which says how long it is
    else {
      this.ready = true;
      this.busy = false;
      this.control();
    }
  }

  ask(size) {
    this.usb.sendSetupPacket(getDescriptorPacket(DescriptorType.Configration, size));
  }

  described(data) {
    if (!this.size) {
      this.size = data[2] | (data[3] << 8);
      this.ask(this.size);
      return;
    }
    this.descriptors.push(...data);
    if (this.descriptors.length < this.size || this.in) return;
    this.findEndpoints();
    this.usb.sendSetupPacket(setDeviceConfigurationPacket(1));
  }

  findEndpoints() {
    const d = this.descriptors;
    let data = false;
    for (let k = 0; k + 1 < d.length; k += d[k]) {
      if (d[k + 1] === INTERFACE) data = d[k + 5] === CLASS_DATA;
      if (data && d[k + 1] === ENDPOINT && (d[k + 3] & 3) === BULK) {
        if (d[k + 2] & IN) this.in = d[k + 2] & 15;
        else this.out = d[k + 2] & 15;
      }
    }
  }

  control() {
    if (!this.ready || this.busy || this.told === this.lines) return;
    this.busy = true;
    this.told = this.lines;
    this.usb.sendSetupPacket(createSetupPacket({
      dataDirection: DataDirection.HostToDevice,
      type: SetupType.Class,
      recipient: SetupRecipient.Interface,
      bRequest: SET_CONTROL_LINE_STATE,
      wValue: this.lines,
      wIndex: 0,
      wLength: 0,
    }));
  }

  setLines(value) {
    this.lines = value;
    this.control();
  }

  send(data) {
    for (const byte of data) this.toSend.push(byte);
    this.pump();
  }

  pump() {
    if (!this.room || !this.toSend.length) return;
    const data = Uint8Array.from(this.toSend.splice(0, this.room));
    this.room = 0;
    this.usb.endpointReadDone(this.out, data, PACKET_US);
  }

  stall(on) {
    this.stalled = on;
    if (!on) for (const endpoint of this.held.splice(0)) this.indicate(endpoint, false);
  }
}

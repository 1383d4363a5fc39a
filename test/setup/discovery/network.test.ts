import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLocalAddress } from '../../../src/io/local-network.ts';
import { chooseAddress, neighbours } from '../../../src/setup/discovery/network.ts';

describe('a local address', () => {
  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.10',
    '169.254.3.4',
    '127.0.0.1',
    '::1',
    'fd12:3456::1',
    'fe80::1%eth0',
    '::ffff:192.168.1.10',
  ])('is %s', (address) => {
    expect(isLocalAddress(address)).toBe(true);
  });

  it.each([
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '2001:db8::1',
    '::ffff:8.8.8.8',
    '',
    'localhost',
  ])('is not "%s"', (address) => {
    expect(isLocalAddress(address)).toBe(false);
  });
});

describe('where a phone finds us', () => {
  const on = (name: string, address: string) => ({ name, address });

  it('is where our own connections start from, among several', () => {
    const own = [on('eth0', '192.168.1.10'), on('wlan0', '192.168.2.10')];
    expect(chooseAddress(own, '192.168.2.10')).toBe('192.168.2.10');
    expect(chooseAddress(own)).toBe('192.168.1.10');
  });

  it('is no network of containers, machines or tunnels, if there is another', () => {
    const own = [on('docker0', '172.17.0.1'), on('tun0', '10.8.0.2'), on('eth0', '10.0.0.5')];
    expect(chooseAddress(own, '10.8.0.2')).toBe('10.0.0.5');
    expect(chooseAddress([on('docker0', '172.17.0.1')])).toBe('172.17.0.1');
  });

  it('is never a public address, even where our connections start from there', () => {
    expect(chooseAddress([on('eth0', '203.0.113.7')], '203.0.113.7')).toBeUndefined();
    const own = [on('eth0', '203.0.113.7'), on('eth1', '192.168.1.2')];
    expect(chooseAddress(own, '203.0.113.7')).toBe('192.168.1.2');
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: fc.constantFrom('eth0', 'wlan0', 'docker0'), address: fc.ipV4() })),
        (some) => {
          const chosen = chooseAddress(some, some[0]?.address);
          expect(chosen === undefined || isLocalAddress(chosen)).toBe(true);
        },
      ),
    );
  });

  it('is an IPv6 address only where there is no other, and none that needs a zone', () => {
    expect(chooseAddress([on('eth0', 'fd00::5'), on('eth0', '10.0.0.5')])).toBe('10.0.0.5');
    expect(chooseAddress([on('eth0', 'fe80::5'), on('eth0', 'fd00::5')])).toBe('fd00::5');
    expect(chooseAddress([on('eth0', 'fe80::5')])).toBeUndefined();
  });
});

describe('the neighbours', () => {
  it('are the rest of the /24, the nearest first', () => {
    const around = neighbours('192.168.1.250');
    expect(around.slice(0, 3)).toEqual(['192.168.1.249', '192.168.1.251', '192.168.1.248']);
    expect(new Set(around).size).toBe(253);
    expect(around).not.toContain('192.168.1.250');
    expect(around).not.toContain('192.168.1.255');
  });

  it.each(['8.8.8.8', 'fd00::5', ''])('of "%s" are none', (address) => {
    expect(neighbours(address)).toEqual([]);
  });
});

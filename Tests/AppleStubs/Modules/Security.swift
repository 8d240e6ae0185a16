// Elsewhere there is no bridging between Swift's types and CoreFoundation's: here they are the same.
public typealias CFString = String
public typealias CFDictionary = [CFString: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public var kSecClass: CFString { "" }
public var kSecClassGenericPassword: CFString { "" }
public var kSecAttrService: CFString { "" }
public var kSecAttrAccount: CFString { "" }
public var kSecAttrAccessible: CFString { "" }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "" }
public var kSecReturnData: CFString { "" }
public var kSecValueData: CFString { "" }

public var errSecSuccess: OSStatus { 0 }
public var errSecItemNotFound: OSStatus { -25300 }

public func SecItemCopyMatching(
    _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { fatalError() }

@discardableResult
public func SecItemAdd(
    _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { fatalError() }

@discardableResult
public func SecItemUpdate(
    _ query: CFDictionary, _ attributesToUpdate: CFDictionary
) -> OSStatus { fatalError() }

@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { fatalError() }

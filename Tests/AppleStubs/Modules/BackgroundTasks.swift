public import Dispatch
public import Foundation

// Apple's documentation says of none of these classes that it is Sendable.

open class BGTask: NSObject {
    open var identifier: String { fatalError() }
    open var expirationHandler: (() -> Void)?
    open func setTaskCompleted(success: Bool) {}
}

open class BGAppRefreshTask: BGTask {}

open class BGTaskRequest: NSObject {
    open var identifier: String { fatalError() }
    open var earliestBeginDate: Date?
}

open class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) {}
}

open class BGTaskScheduler: NSObject {
    open class var shared: BGTaskScheduler { fatalError() }

    @discardableResult
    open func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool { fatalError() }

    open func submit(_ taskRequest: BGTaskRequest) throws {}
    open func cancel(taskRequestWithIdentifier identifier: String) {}
}

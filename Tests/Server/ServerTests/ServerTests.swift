// The tests are in the libraries that this target depends on under the trait `Server`.

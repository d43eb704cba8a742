"""Which skills does an app have here, and which of them did a person switch on?"""
